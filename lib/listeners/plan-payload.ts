import { codecForDeclaration, codecForEmittedType } from '../jobs/codecs/choose-codec.js';
import { classFit } from '../jobs/class-typed-argument.js';
import type { Codec } from '../jobs/codecs/codec.js';
import { instanceCodec } from '../jobs/codecs/instance.codec.js';
import { plainCodec } from '../jobs/codecs/plain.codec.js';
import { stringCodec } from '../jobs/codecs/primitive.codec.js';
import type { ArgumentPlan } from '../jobs/index.js';
import { type PlanSubject, planValue } from '../jobs/plan-value.js';
import type { ListenerParameter } from './listener-parameters.js';
import type { EventClass } from './queued-event-options.js';

/** The name on the wire of what was emitted. */
const EVENT = 'event';

const MEND =
  "Emit wire values, or an instance of the very class that is the parameter's type (imported as a value, not with " +
  'import type), or say how it travels with @OnQueuedEvent(event, { types: [...] }).';

/**
 * How the values of an event travel to one listener: the emitted name, then a value for each parameter. A value that is
 * missing or undefined is left out: the listener gets undefined, as it would inside `emit()`.
 *
 * @throws JobDeclarationException where a parameter's type has no wire form
 */
export function planPayload(
  id: string,
  parameters: readonly ListenerParameter[],
  sensitive: boolean,
): readonly ArgumentPlan[] {
  const subject: PlanSubject = { declared: `Listener ${id}`, pushed: `Job ${id}`, argsOption: null };
  const name = {
    name: EVENT,
    sensitive: false,
    of: 'method',
    mend: 'Emit an event whose name is text.',
  } as const;
  const plans: ArgumentPlan[] = [
    {
      index: 0,
      parameter: EVENT,
      property: EVENT,
      sensitive: false,
      warning: null,
      optional: false,
      ...planValue(subject, name, stringCodec),
    },
  ];
  for (const parameter of parameters) {
    if (parameter.kind === 'value') plans.push(planEmitted(subject, parameter, plans.length, sensitive));
  }
  return plans;
}

function planEmitted(
  subject: PlanSubject,
  parameter: ListenerParameter & { readonly kind: 'value' },
  index: number,
  sensitive: boolean,
): ArgumentPlan {
  const { name } = parameter;
  const { codec, parts } = codecFor(subject, parameter);
  const warnings = parts?.flatMap(({ warning }) => warning ?? []) ?? [];
  return {
    index,
    parameter: name,
    property: name,
    sensitive,
    warning: warnings.length === 0 ? null : warnings.join(' '),
    optional: true,
    ...(parts === undefined ? {} : { parts }),
    ...planValue(subject, { name, sensitive, of: 'method', mend: MEND }, codec),
  };
}

interface ChosenCodec {
  readonly codec: Codec;
  readonly parts?: readonly ArgumentPlan[];
}

function codecFor(
  subject: PlanSubject,
  { name, declared, emitted }: ListenerParameter & { readonly kind: 'value' },
): ChosenCodec {
  if (declared !== null) {
    return isEventClass(declared)
      ? instances(subject, declared)
      : { codec: codecForDeclaration(declared, `${subject.declared}, types, "${name}"`) };
  }
  const codec = codecForEmittedType(emitted);
  return codec === plainCodec && isEventClass(emitted) ? instances(subject, emitted) : { codec };
}

/** A class of the application, and not one of those that have a wire form, or say how theirs is. */
function isEventClass(type: unknown): type is EventClass {
  if (typeof type !== 'function' || codecForEmittedType(type) !== plainCodec) return false;
  const isCodec = '~standard' in type || ('encode' in type && 'decode' in type);
  return !isCodec && classFit(type) !== 'unknown';
}

/** Its constructor's arguments by name, or its own properties where it has none: those are open to whoever sees arguments. */
function instances({ declared, pushed }: PlanSubject, target: EventClass): ChosenCodec {
  const codec = instanceCodec(target, {
    declared: `${declared}: event class ${target.name}`,
    pushed: `${pushed}, event class ${target.name}`,
    argsOption: null,
  });
  return codec.parts.length === 0 ? { codec } : { codec, parts: codec.parts };
}
