import type { SqsRule } from './sqs-gateway.js';

/** The request never reaches SQS, or its answer never comes back. */
export function lost(part: 'request' | 'answer'): SqsRule {
  return async (_call, pass) => {
    if (part === 'answer') await pass();
    return 'cut';
  };
}

/** What an entry of a batch is answered when it alone fails. */
export interface EntryFailure {
  readonly Code: string;
  readonly SenderFault: boolean;
  readonly Message?: string;
}

/** The entries at these places fail, and are not applied; the others are. */
export function entriesFail(places: readonly number[], failure: EntryFailure): SqsRule {
  return async ({ input }, pass) => {
    const { Entries = [] } = input;
    const failing = Entries.filter((_, place) => places.includes(place));
    const others = Entries.filter((_, place) => !places.includes(place));
    const answer = others.length > 0 ? await pass({ ...input, Entries: others }) : { status: 200, body: {} };
    const Failed = failing.map(({ Id }) => ({ Id, ...failure }));
    return { ...answer, body: { ...answer.body, Failed } };
  };
}

/** The service answers an error, and applies nothing. */
export function refuses(status: number, code: string, message = 'No.'): SqsRule {
  return async () => ({ status, body: { __type: `com.amazonaws.sqs#${code}`, message } });
}
