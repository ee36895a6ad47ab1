import * as v from 'valibot';
import { NAME_PATTERN } from '../../contract/index.js';
import { DEFAULT_CONNECTION } from '../../queue/index.js';
import { type Option, option, parseBoolean, parseList, parseNumber } from './option.js';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const name = v.pipe(v.string(), v.regex(NAME_PATTERN));
const distinct = v.check((names: string[]) => new Set(names).size === names.length);

const NAME = '1 to 80 of the characters A-Z a-z 0-9 _ -';
const COUNT = 'an integer of 1 or more';

/** What a worker takes: by flag, by environment, and as `worker` of the module. The flag wins over the environment. */
export const WORKER_OPTIONS = {
  queues: option({
    flag: 'queue',
    inModule: true,
    takes: 'names',
    summary: 'Queues to watch, separated by commas, in the order in which they are swept.',
    expected: 'queue names, separated by commas, each once and each of ' + NAME,
    otherwise: 'every queue that a listed job of the connection names, alphabetically, "default" last',
    parse: parseList,
    schema: v.pipe(v.array(name), v.minLength(1), distinct),
  }),
  connection: option({
    flag: 'connection',
    inModule: true,
    variable: 'QUEUE_CONNECTION_NAME',
    takes: 'name',
    summary: 'The connection that the worker serves.',
    expected: NAME,
    fallback: DEFAULT_CONNECTION,
    schema: name,
  }),
  concurrency: option({
    flag: 'concurrency',
    inModule: true,
    variable: 'QUEUE_CONCURRENCY',
    takes: 'number',
    summary: 'Jobs at a time.',
    expected: COUNT,
    fallback: 1,
    parse: parseNumber,
    schema: count,
  }),
  maxAttempts: option({
    flag: 'max-attempts',
    inModule: true,
    variable: 'QUEUE_MAX_ATTEMPTS',
    takes: 'number',
    summary: 'Attempts of a job that names no number of its own; 0 and 1 are a single attempt.',
    expected: 'an integer of 0 or more',
    fallback: 0,
    parse: parseNumber,
    schema: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  pollTimeoutSeconds: option({
    flag: 'poll-timeout',
    inModule: true,
    variable: 'QUEUE_POLL_TIMEOUT',
    takes: 'seconds',
    summary: 'Longest look for work before the loop turns.',
    expected: 'a number of seconds above 0',
    fallback: 5,
    parse: parseNumber,
    schema: positive,
  }),
  shutdownTimeoutSeconds: option({
    flag: 'shutdown-timeout',
    inModule: true,
    takes: 'seconds',
    summary: 'How long running jobs may take to finish after a stop; then they are given back.',
    expected: '0 or a number of seconds',
    fallback: 25,
    parse: parseNumber,
    schema: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  maxConnectionFailures: option({
    flag: 'max-connection-failures',
    inModule: true,
    takes: 'number',
    summary: 'Failures in a row of reaching the server after which the worker ends.',
    expected: COUNT,
    fallback: Infinity,
    parse: parseNumber,
    schema: count,
  }),
  maxJobs: option({
    flag: 'max-jobs',
    takes: 'number',
    summary: 'Stop after so many jobs.',
    expected: COUNT,
    fallback: Infinity,
    parse: parseNumber,
    schema: count,
  }),
  maxTimeSeconds: option({
    flag: 'max-time',
    takes: 'seconds',
    summary: 'Stop after so long.',
    expected: 'a number of seconds above 0',
    fallback: Infinity,
    parse: parseNumber,
    schema: positive,
  }),
  maxMemoryMb: option({
    flag: 'max-memory',
    takes: 'megabytes',
    summary: 'Stop when the process holds more memory than this.',
    expected: 'a number of megabytes above 0',
    fallback: Infinity,
    parse: parseNumber,
    schema: positive,
  }),
  once: option({
    flag: 'once',
    summary: 'Handle at most one job and stop.',
    expected: 'no value',
    fallback: false,
    otherwise: 'off',
    schema: v.boolean(),
  }),
  renewLeases: option({
    flag: 'no-renew',
    inModule: true,
    variable: 'QUEUE_RENEW_LEASES',
    switchesTo: false,
    summary:
      'Leases are renewed while jobs run; switched off, one that outlasts its lease may run twice at a time.',
    expected: 'true or false',
    fallback: true,
    otherwise: 'true, renewed',
    parse: parseBoolean,
    schema: v.boolean(),
  }),
  timeoutGraceSeconds: option({
    inModule: true,
    variable: 'QUEUE_TIMEOUT_GRACE',
    takes: 'seconds',
    summary:
      'How long a handler whose timeoutSeconds have passed may take to end before its slot is given up.',
    expected: '0 or a number of seconds',
    fallback: 5,
    parse: parseNumber,
    schema: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  crashAllowance: option({
    inModule: true,
    variable: 'QUEUE_CRASH_ALLOWANCE',
    takes: 'number',
    summary: 'Attempts beyond its cap for a job whose workers end while they run it.',
    expected: 'an integer of 0 or more, or Infinity',
    fallback: 3,
    otherwise: '3',
    parse: (text) => (text.trim() === 'Infinity' ? Infinity : parseNumber(text)),
    schema: v.pipe(
      v.number(),
      v.check((value) => value === Infinity || (Number.isSafeInteger(value) && value >= 0)),
    ),
  }),
  schemaGraceSeconds: option({
    inModule: true,
    variable: 'QUEUE_SCHEMA_GRACE',
    takes: 'seconds',
    summary:
      "How long a job that today's code cannot rebuild waits, without spending an attempt, for a deploy to end.",
    expected: '0 or a number of seconds',
    fallback: 600,
    parse: parseNumber,
    schema: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  name: option({
    flag: 'worker-name',
    inModule: true,
    takes: 'name',
    summary: "The worker's name in log lines and events.",
    expected: '1 to 100 printable characters',
    otherwise: 'host and process id',
    schema: v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,100}$/)),
  }),
  healthPort: option({
    flag: 'health-port',
    takes: 'port',
    summary: 'Serve /live and /ready on this port.',
    expected: 'a port from 0 to 65535',
    otherwise: 'none',
    parse: parseNumber,
    schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)),
  }),
} as const;

export type WorkerOptionKey = keyof typeof WORKER_OPTIONS;

/** The value of an option that was not given. */
export function fallbackOf<Value>({ fallback, flag }: Option<Value>): Value {
  if (fallback === undefined) throw new TypeError(`The option --${flag} has no value of its own.`);
  return fallback;
}

/** What was given, checked; an option that was not given is absent. */
export type GivenWorkerOptions = {
  readonly [K in WorkerOptionKey]?: v.InferOutput<(typeof WORKER_OPTIONS)[K]['schema']> | undefined;
};
