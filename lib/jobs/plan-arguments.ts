import {
  JobDeclarationException,
  JobReconstructionException,
  UnserializableJobException,
} from '../contract/index.js';
import { classFit } from './class-typed-argument.js';
import { codecForDeclaration, codecForEmittedType } from './codecs/choose-codec.js';
import type { Codec } from './codecs/codec.js';
import { plainCodec } from './codecs/plain.codec.js';
import { namedParameters, type NamedParameter } from './constructor/named-shape.js';
import type { ArgumentPlan } from './job-definition.js';
import { emittedTypes, isMarkedOptional, parameterMarks } from './job-metadata.js';
import { Refusal } from './wire/refusal.js';

/**
 * Plans how a class's constructor arguments travel, once, at decoration.
 *
 * @throws JobDeclarationException where an argument cannot be read back from the instance
 */
export function planArguments(target: Function, args: readonly string[] | null): readonly ArgumentPlan[] {
  const parameters = namedParameters(target, args);
  const properties = parameters.map((parameter) => parameter.property);
  const twice = properties.find((property, index) => properties.indexOf(property) !== index);
  if (twice !== undefined) {
    throw new JobDeclarationException(
      `Job class ${target.name}: two constructor parameters are assigned to "${twice}". Assign each to a property of its own.`,
    );
  }
  return parameters.map((parameter, index) => planArgument(target, parameter, index));
}

function planArgument(target: Function, parameter: NamedParameter, index: number): ArgumentPlan {
  const { property, sources } = parameter;
  const where = `Job class ${target.name}, argument "${property}"`;
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
    warning: codec === plainCodec ? checkEmittedClass(emitted, where) : null,
    optional: parameter.hasDefault || sources.some((source) => isMarkedOptional(source.owner, source.index)),
    encode: encoder(target.name, property, codec, sensitive),
    decode: decoder(target.name, property, codec, sensitive),
  };
}

/** A warning where instances of the class are refused at the push and plain objects are not. */
function checkEmittedClass(type: unknown, where: string): string | null {
  const fit = classFit(type);
  if (fit === 'unknown') return null;
  const name = (type as Function).name || 'a class without a name';
  if (fit === 'none') {
    throw new JobDeclarationException(
      `${where}: expected a type that has a wire form, came ${name}. Pass what identifies it (an id, a plain object), ` +
        'give the parameter a codec with @Arg(codec), or, where a provider is meant, make it a parameter of handle().',
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

const WIRE_MEND = 'Push plain values, such as ids, or give the parameter a codec, @Arg(...).';

function encoder(job: string, name: string, codec: Codec, sensitive: boolean): ArgumentPlan['encode'] {
  return (value) => {
    let encoded;
    try {
      encoded = codec.encode(value);
    } catch {
      // A proxy or an inherited getter; what it says may be data.
      encoded = new Refusal('a value that throws when it is read');
    }
    if (!(encoded instanceof Refusal)) return encoded;
    const { place, problem, mend } = encoded;
    throw new UnserializableJobException(
      sensitive
        ? `Job ${job}: argument "${name}" has no wire form. It is sensitive: what came is not told. ${WIRE_MEND}`
        : `Job ${job}: argument "${name}" has no wire form: ${name}${place} is ${problem}. ${mend ?? WIRE_MEND}`,
    );
  };
}

function decoder(job: string, name: string, codec: Codec, sensitive: boolean): ArgumentPlan['decode'] {
  return (value) => {
    const decoded = codec.decode(value);
    if (!(decoded instanceof Refusal)) return decoded;
    const { place, problem, reason } = decoded;
    throw new JobReconstructionException(
      reason,
      `Job ${job}: the stored argument "${name}" does not fit today's constructor` +
        (sensitive ? '; it is sensitive: what came is not told.' : `: ${name}${place} is ${problem}.`) +
        ' Give the parameter a codec that reads what older code pushed, @Arg(...).',
    );
  };
}
