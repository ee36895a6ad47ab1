import { type Finding, QueueException, SchemaOutdatedException } from '../../contract/index.js';

/** What a look that was refused comes to. Throws what is no error of a queue. */
export function refusalOf(topic: string, error: unknown): Finding {
  if (!(error instanceof QueueException)) throw error;
  if (error instanceof SchemaOutdatedException) {
    const [message = ''] = error.message.split(' Run `npx');
    return { topic: 'schema', level: 'problem', message, mend: 'npx kinetis-queue migrate' };
  }
  const { message, code } = error;
  return { topic, level: 'problem', message, mend: `docs/errors.md says more of ${code}` };
}
