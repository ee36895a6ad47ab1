import { readFileSync } from 'node:fs';
import type { SqsCall } from './sqs-gateway.js';

/** A statement of a policy of AWS. */
export interface Statement {
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

/** The policies of docs/sqs.md, in their order. */
export function documentedPolicies(): { readonly pusher: Statement[]; readonly worker: Statement[] } {
  const page = readFileSync(new URL('../../docs/sqs.md', import.meta.url), 'utf8');
  const [pusher = [], worker = []] = [...page.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, json = '']) => (JSON.parse(json) as { Statement?: Statement[] }).Statement)
    .filter((statements) => statements !== undefined);
  return { pusher, worker };
}

/** The action that allows a call, "sqs:SendMessage": a batch is allowed by the action for one. */
export function actionOf({ name }: SqsCall): string {
  return `sqs:${name.replace(/Batch$/, '')}`;
}

/** The name of the queue that a call is about. */
export function queueOf({ input }: SqsCall): string {
  return input.QueueName ?? String(input.QueueUrl).split('/').at(-1) ?? '';
}
