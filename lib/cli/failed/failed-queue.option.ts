import { option } from '../../module/configuration/option.js';
import { WORKER_OPTIONS } from '../../module/configuration/worker-options.js';

/** The queue that jobs are looked for in by their ids. */
export const FAILED_QUEUE_OPTION = {
  queue: option({
    flag: 'queue',
    takes: 'name',
    summary: 'Their queue. Needed where the backend has to scan, elsewhere an id is enough.',
    expected: WORKER_OPTIONS.connection.expected,
    otherwise: 'every queue',
    schema: WORKER_OPTIONS.connection.schema,
  }),
} as const;
