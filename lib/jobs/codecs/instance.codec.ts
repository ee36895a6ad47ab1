import { JobDeclarationException, type WireValue } from '../../contract/index.js';
import { encodeArguments } from '../encode-arguments.js';
import type { ArgumentPlan } from '../job-definition.js';
import { planArguments } from '../plan-arguments.js';
import type { PlanSubject } from '../plan-value.js';
import { rebuildInstance } from '../rebuild-job.js';
import { kindOf } from '../wire/kind-of.js';
import { isPlainObject } from '../wire/plain-object.js';
import { Refusal } from '../wire/refusal.js';
import type { Codec } from './codec.js';
import { decodePlain, encodePlain } from './plain.codec.js';

// oxlint-disable-next-line typescript/no-explicit-any -- its arguments are checked by their plans
type AnyConstructor = new (...args: any[]) => object;

/** How the instances of one class travel. */
export interface InstanceCodec extends Codec {
  /** Its constructor's arguments; empty where its own properties travel instead. */
  readonly parts: readonly ArgumentPlan[];
}

/**
 * For a value that is an instance of exactly this class: its constructor's arguments travel as those of a job do, and the
 * class is made anew from them. One whose constructor takes none travels by its own properties, which are assigned to a
 * new instance. null passes, for `UserRegistered | null`.
 *
 * @throws JobDeclarationException where an argument cannot be read back from an instance
 */
export function instanceCodec(target: AnyConstructor, subject: PlanSubject): InstanceCodec {
  refuseNative(target, subject);
  const parts = planArguments(target, null, subject);
  // In messages, which begin with "Job".
  const shape = { name: subject.pushed.replace(/^Job /, ''), target, args: parts };
  const byProperties = parts.length === 0;
  return {
    parts,
    encode(value: unknown): WireValue | Refusal {
      if (value === null) return null;
      if (!isInstance(value, target)) return misfit(value, target);
      return byProperties ? encodePlain(ownValues(value)) : encodeArguments(shape, value);
    },
    decode(value: WireValue): unknown {
      if (value === null) return null;
      const copy = decodePlain(value);
      if (copy instanceof Refusal) return copy;
      if (!isWireObject(copy)) {
        const problem = `${kindOf(value)} where the arguments of ${target.name} are expected`;
        return new Refusal(problem, null, 'argument-type');
      }
      return byProperties ? assign(rebuildInstance(shape, {}), copy) : rebuildInstance(shape, copy);
    },
  };
}

type WireObject = { readonly [key: string]: WireValue };

function isWireObject(value: WireValue): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that is only declared holds undefined, which a new instance has by itself. */
function ownValues(instance: object): object {
  return Object.fromEntries(Object.entries(instance).filter(([, value]) => value !== undefined));
}

/** As own data, so that no key reaches the prototype or a setter. */
function assign(instance: object, values: WireObject): object | Refusal {
  for (const [key, value] of Object.entries(values)) {
    const own = { value, writable: true, enumerable: true, configurable: true };
    if (!Reflect.defineProperty(instance, key, own)) {
      return new Refusal('what its class does not let be assigned to a new instance');
    }
  }
  return instance;
}

function isInstance(value: unknown, target: AnyConstructor): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === target.prototype;
}

function misfit(value: unknown, target: AnyConstructor): Refusal {
  const expected = `where an instance of ${target.name} is expected`;
  if (value instanceof target) return new Refusal(`an instance of a subclass ${expected}`);
  const plain = typeof value === 'object' && value !== null && isPlainObject(value);
  const came = plain || typeof value !== 'object' ? kindOf(value) : 'an instance of another class';
  return new Refusal(`${came} ${expected}`, null, 'argument-type');
}

/** Map, Buffer, Error and their like keep what they hold where nothing can read it back. */
function refuseNative(target: AnyConstructor, { declared }: PlanSubject): void {
  if (!/\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(target))) return;
  throw new JobDeclarationException(
    `${declared}: expected a type that has a wire form, came ${target.name}. Pass what identifies it: an id, a plain object.`,
  );
}
