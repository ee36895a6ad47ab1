import { JobDeclarationException } from '../contract/index.js';
import { classFit } from './class-typed-argument.js';
import { codecForDeclaration, codecForEmittedType } from './codecs/choose-codec.js';
import { plainCodec } from './codecs/plain.codec.js';
import { namedParameters, type NamedParameter } from './constructor/named-shape.js';
import type { ArgumentPlan } from './job-definition.js';
import { emittedTypes, isMarkedOptional, parameterMarks } from './job-metadata.js';
import { type PlanSubject, planValue } from './plan-value.js';

const UNTYPED_MEND =
  'No types were emitted for its constructor: TypeScript emits them for a class with a decorator only. Put @Arg(Date) on a ' +
  'Date, @Arg(codec) on an instance of a class, or pass plain values.';

/**
 * Plans how a class's constructor arguments travel, once, at decoration.
 *
 * @throws JobDeclarationException where an argument cannot be read back from the instance
 */
export function planArguments(
  target: Function,
  args: readonly string[] | null,
  subject: PlanSubject,
): readonly ArgumentPlan[] {
  const parameters = namedParameters(target, args, subject);
  const properties = parameters.map((parameter) => parameter.property);
  const twice = properties.find((property, index) => properties.indexOf(property) !== index);
  if (twice !== undefined) {
    throw new JobDeclarationException(
      `${subject.declared}: two constructor parameters are assigned to "${twice}". Assign each to a property of its own.`,
    );
  }
  return parameters.map((parameter, index) => planArgument(subject, parameter, index));
}

function planArgument(subject: PlanSubject, parameter: NamedParameter, index: number): ArgumentPlan {
  const { property, sources } = parameter;
  const where = `${subject.declared}, argument "${property}"`;
  const marks = sources.map((source) => parameterMarks(source.owner, source.index));
  const declaration = marks.find((mark) => mark?.declaration)?.declaration;
  const emitted = declaration ? undefined : emittedTypeOf(parameter);
  const codec = declaration ? codecForDeclaration(declaration.of, where) : codecForEmittedType(emitted);
  const sensitive = marks.some((mark) => mark?.sensitive === true);
  return {
    index,
    parameter: property,
    property,
    sensitive,
    warning: codec === plainCodec ? checkEmittedClass(emitted, where, subject) : null,
    optional: parameter.hasDefault || sources.some((source) => isMarkedOptional(source.owner, source.index)),
    ...planValue(
      subject,
      { name: property, sensitive, of: 'constructor', ...adviceFor(subject, parameter) },
      codec,
    ),
  };
}

/** A job class has a decorator; any other class may look as if its types were known. */
function adviceFor({ argsOption }: PlanSubject, parameter: NamedParameter): { readonly mend?: string } {
  const isTyped = parameter.sources.some(({ owner }) => emittedTypes(owner) !== null);
  return argsOption !== null || isTyped ? {} : { mend: UNTYPED_MEND };
}

/** A warning where instances of the class are refused at the push and plain objects are not. */
function checkEmittedClass(type: unknown, where: string, subject: PlanSubject): string | null {
  const fit = classFit(type);
  if (fit === 'unknown') return null;
  const name = (type as Function).name || 'a class without a name';
  if (fit === 'none') {
    const provider =
      subject.argsOption === null ? '' : ', or, where a provider is meant, make it a parameter of handle()';
    throw new JobDeclarationException(
      `${where}: expected a type that has a wire form, came ${name}. Pass what identifies it (an id, a plain object), ` +
        `give the parameter a codec with @Arg(codec)${provider}.`,
    );
  }
  return (
    `${where}: its type is a class, ${name}, an instance of which is refused at the push; a plain object travels, ` +
    'and comes back as one. Make the type an interface, or give the parameter a codec or a schema with @Arg().'
  );
}

function emittedTypeOf(parameter: NamedParameter): unknown {
  for (const source of parameter.sources) {
    const types = emittedTypes(source.owner);
    if (types !== null) return types[source.index];
  }
  return undefined;
}
