import type { WireValue } from '../../contract/index.js';
import type { SchemaIssue, SchemaResult, StandardSchema } from '../standard-schema.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';
import { errorName } from './custom.codec.js';
import { decodePlain, encodePlain } from './plain.codec.js';

/**
 * For `@Arg(schema)`. The push checks and sends the value as it is; the rebuild hands the constructor what the schema
 * makes of it, so a schema may fill in defaults for what older code sent. Issues are told by number and place only.
 */
export function schemaCodec(schema: StandardSchema): Codec {
  return {
    encode(value: unknown): WireValue | Refusal {
      const encoded = encodePlain(value);
      if (encoded instanceof Refusal) return encoded;
      const result = validate(schema, encoded);
      return result instanceof Refusal ? result : encoded;
    },
    decode(value: WireValue): unknown {
      const copy = decodePlain(value);
      if (copy instanceof Refusal) return copy;
      const result = validate(schema, copy);
      return result instanceof Refusal ? result : result.value;
    },
  };
}

export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof Reflect.get(standard, 'validate') === 'function'
  );
}

function validate(schema: StandardSchema, value: unknown): { readonly value: unknown } | Refusal {
  let result: SchemaResult<unknown> | Promise<SchemaResult<unknown>>;
  try {
    result = schema['~standard'].validate(value);
  } catch (error) {
    return new Refusal(`a value on which its schema threw (${errorName(error)})`);
  }
  if (isThenable(result)) {
    // Nobody waits for it: its rejection would otherwise end the process.
    result.then(undefined, () => undefined);
    return new Refusal('a schema that answers asynchronously', 'Use a synchronous schema.');
  }
  return result.issues ? issuesRefusal(result.issues, value) : result;
}

function isThenable(value: object): value is Promise<unknown> {
  return 'then' in value && typeof value.then === 'function';
}

function issuesRefusal(issues: readonly SchemaIssue[], value: unknown): Refusal {
  const count = issues.length === 1 ? '1 issue' : `${issues.length} issues`;
  return new Refusal(`a value that its schema refuses (${count})`).within(placeOf(issues[0], value));
}

/** The first issue's path as a place: ordinals instead of keys; it ends where a key is missing. */
function placeOf(issue: SchemaIssue | undefined, value: unknown): string {
  let place = '';
  let current = value;
  for (const step of issue?.path ?? []) {
    if (typeof current !== 'object' || current === null) break;
    const key = typeof step === 'object' ? step.key : step;
    if (!Object.hasOwn(current, key)) break;
    place += Array.isArray(current) ? `[${String(key)}]` : `.{${Object.keys(current).indexOf(String(key))}}`;
    current = Reflect.get(current, key);
  }
  return place;
}
