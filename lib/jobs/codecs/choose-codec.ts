import { JobDeclarationException } from '../../contract/index.js';
import type { Codec } from './codec.js';
import { customCodec, isArgCodec } from './custom.codec.js';
import { dateCodec } from './date.codec.js';
import { enumCodec, isEnumObject } from './enum.codec.js';
import { plainCodec } from './plain.codec.js';
import { booleanCodec, numberCodec, stringCodec } from './primitive.codec.js';
import { isStandardSchema, schemaCodec } from './schema.codec.js';

const NativeDate = Date;

/** The codec for what TypeScript emitted of a parameter's type; anything goes where that says nothing of use. */
export function codecForEmittedType(type: unknown): Codec {
  // A test's clock may stand in for Date at the time of the declaration.
  return builtIn(type) ?? (isEnumObject(type) ? enumCodec(type) : plainCodec);
}

/**
 * The codec for `@Arg(declaration)`.
 *
 * @throws JobDeclarationException where the declaration is nothing that can carry a value
 */
export function codecForDeclaration(declaration: unknown, parameter: string): Codec {
  if (isStandardSchema(declaration)) return schemaCodec(declaration);
  if (isArgCodec(declaration)) return customCodec(declaration);
  const known = builtIn(declaration);
  if (known !== null) return known;
  if (isEnumObject(declaration)) return enumCodec(declaration);
  if (declaration === undefined || declaration === null) {
    throw new JobDeclarationException(
      `${parameter}: @Arg() came with ${String(declaration)}, as in a circle of imports. Import what it names from a ` +
        'file that does not import this one.',
    );
  }
  throw new JobDeclarationException(
    `${parameter}: @Arg() expects Date, String, Number, Boolean, an enum, a codec with encode and decode, or a ` +
      `Standard Schema; it came with ${nameOf(declaration)}. Write a codec for it and pass that.`,
  );
}

function builtIn(type: unknown): Codec | null {
  if (type === String) return stringCodec;
  if (type === Number) return numberCodec;
  if (type === Boolean) return booleanCodec;
  if (type === Date || type === NativeDate) return dateCodec;
  return null;
}

function nameOf(value: unknown): string {
  if (typeof value !== 'function') return `a value of type ${typeof value}`;
  return value.name === '' ? 'a function without a name' : value.name;
}
