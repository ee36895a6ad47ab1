import * as v from 'valibot';
import { describe, QueueConfigurationException } from '../../contract/index.js';
import type { Option } from './option.js';

/** The value of an option that came as text. `source` names the flag or the variable. */
export function readOption<Value>(option: Option<Value>, source: string, text: string): Value {
  return checkOption(option, source, option.parse(text), text);
}

/** The value of an option that came as it is. */
export function checkOption<Value>(
  option: Option<Value>,
  source: string,
  value: unknown,
  came = value,
): Value {
  const checked = v.safeParse(option.schema, value);
  if (checked.success) return checked.output;
  const shown = option.secret ? 'something else' : describe(came);
  throw new QueueConfigurationException(`${source}: expected ${option.expected}, came ${shown}.`);
}
