import * as v from 'valibot';
import { option, parseList, parseNumber } from '../module/configuration/option.js';
import { WORKER_OPTIONS } from '../module/configuration/worker-options.js';

/** What every command takes. */
export const COMMON_OPTIONS = {
  config: option({
    flag: 'config',
    takes: 'file',
    summary: 'A module that exports the connections, in place of the environment.',
    expected: 'the path of a file',
    otherwise: 'the environment',
    schema: v.pipe(v.string(), v.minLength(1)),
  }),
  envFile: option({
    flag: 'env-file',
    takes: 'file',
    summary: 'A file of variables; those that are set already win.',
    expected: 'the path of a file',
    otherwise: 'none',
    schema: v.pipe(v.string(), v.minLength(1)),
  }),
  json: option({
    flag: 'json',
    summary: 'Answer in JSON, for programs.',
    expected: 'no value',
    fallback: false,
    otherwise: 'off',
    schema: v.boolean(),
  }),
} as const;

export const CONNECTION_OPTION = {
  connection: option({ ...WORKER_OPTIONS.connection, summary: 'The connection that the command works on.' }),
} as const;

/** Queues that a command works on; `otherwise` says what an absent flag means. */
export function queuesOption(otherwise: string) {
  return option({
    ...WORKER_OPTIONS.queues,
    summary: 'Queues, separated by commas, or the flag again.',
    otherwise,
    repeatable: true,
  });
}

export const FORCE_OPTION = {
  force: option({
    flag: 'force',
    summary: 'Do it: what is deleted cannot be brought back.',
    expected: 'no value',
    fallback: false,
    otherwise: 'refuse',
    schema: v.boolean(),
  }),
} as const;

/** A number of seconds above 0. */
export const SECONDS = {
  takes: 'seconds',
  expected: 'a number of seconds above 0',
  parse: parseNumber,
  schema: v.pipe(v.number(), v.finite(), v.gtValue(0)),
} as const;

/** An integer of 1 or more. */
export const COUNT = {
  takes: 'number',
  expected: 'an integer of 1 or more',
  parse: parseNumber,
  schema: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
} as const;

/** Ids of jobs. */
export const IDS_OPTION = {
  ids: option({
    flag: 'id',
    takes: 'ids',
    summary: 'Ids of jobs, separated by commas, or the flag again.',
    expected: 'ids of jobs, separated by commas, each once',
    otherwise: 'none',
    repeatable: true,
    parse: parseList,
    schema: v.pipe(
      v.array(v.pipe(v.string(), v.regex(/^[\w.:-]{1,255}$/))),
      v.check((ids) => new Set(ids).size === ids.length),
    ),
  }),
} as const;
