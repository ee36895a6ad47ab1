import { inspect } from 'node:util';
import {
  encodeArguments,
  type JobDefinition,
  jobDefinitionOf,
  redactArguments,
  REDACTED,
} from '../../jobs/index.js';
import { isJob, type PushExpectation, type PushMatch } from './push-match.js';
import type { PushRecord } from './push-record.js';
import type { RecordedPush } from './recorded-push.js';

const MOST_LINES = 20;
const LONGEST_ARGUMENTS = 300;

/** What was pushed, a line each, the arguments redacted. */
export function describePushes(pushes: readonly RecordedPush[], record: PushRecord): string {
  if (pushes.length === 0) return 'Nothing was pushed.';
  const lines = pushes
    .slice(0, MOST_LINES)
    .map((push, index) => `  ${index + 1}. ${described(push, record)}`);
  const left = pushes.length - lines.length;
  const more = left > 0 ? `\n  … and ${left} more` : '';
  return `Pushed ${pushes.length === 1 ? 'was' : 'were'}:\n${lines.join('\n')}${more}`;
}

function described(push: RecordedPush, record: PushRecord): string {
  const { connection, queue, delaySeconds, priority, maxAttempts, metadata, uniqueKeyHash, chain } = push;
  const args = redactArguments(record.definitionOf(push.job), push.args);
  const parts = [`${push.job}(${shownArguments(args)}) on "${queue}"`];
  if (connection !== 'default') parts.push(`connection "${connection}"`);
  if (delaySeconds > 0) parts.push(`delaySeconds ${delaySeconds}`);
  if (priority !== 0) parts.push(`priority ${priority}`);
  if (maxAttempts !== null) parts.push(`maxAttempts ${maxAttempts}`);
  if (uniqueKeyHash !== null) parts.push('with a unique key');
  if (Object.keys(metadata).length > 0) parts.push(`metadata ${shown(metadata)}`);
  if (chain.length > 0) parts.push(`then ${chain.map((step) => step.class).join(', then ')}`);
  return parts.join(', ');
}

function shownArguments(args: object): string {
  const entries = Object.entries(args).map(([name, value]) => `${name}: ${shown(value)}`);
  const text = entries.join(', ');
  return text.length > LONGEST_ARGUMENTS ? `${text.slice(0, LONGEST_ARGUMENTS)}…` : text;
}

function shown(value: unknown): string {
  return value === REDACTED ? REDACTED : inspect(value, { breakLength: Infinity, depth: 4 });
}

/** What was looked for, in words: "with delaySeconds 30, args { … }"; sensitive arguments are not shown. */
export function describeMatch<J>(match: PushMatch<J> | undefined, target: JobDefinition | null): string {
  if (match === undefined) return '';
  if (typeof match === 'function') return ' that the function accepts';
  if (isJob(match) && target !== null) {
    return ` with the arguments (${shownArguments(redactArguments(target, encodeArguments(target, match)))})`;
  }
  if (isJob(match)) return ` with the arguments of a ${jobDefinitionOf(match).name}`;
  return describeExpectation(match as PushExpectation, target);
}

function describeExpectation({ args, ...options }: PushExpectation, target: JobDefinition | null): string {
  const parts = Object.entries(options).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? `"${value}"` : shown(value)}`,
  );
  if (args !== undefined) parts.push(`args { ${expectedArguments(args, target)} }`);
  return parts.length === 0 ? '' : ` with ${parts.join(', ')}`;
}

/** Of several classes nobody can say which argument is sensitive: then only the names are shown. */
function expectedArguments(args: object, target: JobDefinition | null): string {
  const open = new Set(target?.args.filter(({ sensitive }) => !sensitive).map(({ property }) => property));
  const entries = Object.entries(args).map(
    ([name, value]) => `${name}: ${open.has(name) ? shown(value) : REDACTED}`,
  );
  return entries.join(', ');
}
