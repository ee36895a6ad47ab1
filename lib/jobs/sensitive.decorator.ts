import { assertConstructorParameter, type AnyClass } from './constructor-parameter.js';
import { markParameter } from './job-metadata.js';

/**
 * Marks a constructor argument as a secret: it travels as it is, and is shown as `[redacted]` wherever arguments are
 * logged or told; errors do not even say where in it something was wrong.
 *
 * @throws JobDeclarationException on anything but a constructor's parameter
 * @publicApi
 */
export function Sensitive() {
  return (target: AnyClass, method: undefined, index: number): void => {
    assertConstructorParameter('@Sensitive()', target, method, index);
    markParameter(target, index, { sensitive: true });
  };
}
