import type { SqsInput } from './sqs-gateway.js';

/** SQS takes characters beyond the first 65,536, the emulator does not: it gets the same JSON text with escapes. */
export function escapeBeyondBmp(input: SqsInput): SqsInput {
  if (input.Entries === undefined) return input;
  const Entries = input.Entries.map((entry) => {
    const { MessageBody, MessageAttributes } = entry;
    if (typeof MessageBody !== 'string') return entry;
    const attributes =
      MessageAttributes === undefined ? {} : { MessageAttributes: escapedValues(MessageAttributes) };
    return { ...entry, MessageBody: escaped(MessageBody), ...attributes };
  });
  return { ...input, Entries };
}

function escapedValues(attributes: unknown): unknown {
  return JSON.parse(JSON.stringify(attributes), (_name, value: unknown) =>
    typeof value === 'string' ? escaped(value) : value,
  );
}

function escaped(json: string): string {
  return json.replace(/[\uD800-\uDFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}
