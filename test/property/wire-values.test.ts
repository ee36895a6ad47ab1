import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueueException, UnserializableJobException } from '../../lib/contract/index.js';
import {
  Arg,
  encodeArguments,
  Handle,
  Job,
  jobDefinition,
  rebuildJob,
  redactArguments,
  Sensitive,
} from '../../lib/jobs/index.js';

@Job()
class Anything {
  constructor(readonly value: unknown) {}
  @Handle() handle(): void {}
}
@Job()
class At {
  constructor(@Arg(Date) readonly value: Date | null) {}
  @Handle() handle(): void {}
}
@Job()
class Secret {
  constructor(@Sensitive() readonly value: unknown) {}
  @Handle() handle(): void {}
}

const definition = jobDefinition(Anything);
const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length'),
);
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  fc.string({ unit: 'binary' }),
);
/** Every value that JSON can carry, with keys that name properties of every object. */
const { wire } = fc.letrec((tie) => ({
  wire: fc.oneof({ maxDepth: 5 }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('wire'), { maxLength: 6 }),
  object: fc
    .array(fc.tuple(key, tie('wire')), { maxLength: 6 })
    // fromEntries defines, it does not assign: __proto__ becomes an own key.
    .map((entries) => Object.fromEntries(entries) as unknown),
}));
/** Whatever an application may hand over by mistake. */
const junk = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  key: fc.oneof(key, fc.string({ unit: 'binary-ascii' })),
});

function throughText(value: unknown): unknown {
  const text = JSON.stringify(encodeArguments(definition, new Anything(value)));
  return Reflect.get(rebuildJob(definition, JSON.parse(text)), 'value');
}

describe('arguments', () => {
  it('come back equal whatever JSON can carry', () => {
    fc.assert(
      fc.property(wire, (value) => isDeepStrictEqual(throughText(value), value)),
      { numRuns: 2_000 },
    );
  });

  it('share nothing with the original', () => {
    fc.assert(
      fc.property(wire, (value) => {
        const rebuilt = rebuildJob(definition, encodeArguments(definition, new Anything(value)));
        const shared = containersOf(value);
        return containersOf(Reflect.get(rebuilt, 'value')).every((container) => !shared.includes(container));
      }),
    );
  });

  it('come back equal or are refused with one error only, whatever they are', () => {
    let refused = 0;
    fc.assert(
      fc.property(junk, (value) => {
        try {
          expect(normalized(throughText(value))).toEqual(normalized(value));
        } catch (error) {
          if (!(error instanceof UnserializableJobException)) throw error;
          refused += 1;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it('keep every Date that RFC 3339 can write', () => {
    const dates = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (value) => {
        const encoded = encodeArguments(jobDefinition(At), new At(value));
        expect(encoded['value']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(rebuildJob(jobDefinition(At), encoded)).toEqual(new At(value));
      }),
    );
  });

  it('are rebuilt or refused with an error of the package, whatever is stored', () => {
    const stored = fc.oneof(
      fc.dictionary(key, wire),
      wire.map((value) => ({ value })),
    );
    fc.assert(
      fc.property(stored, fc.constantFrom(Anything, At, Secret), (args, target) => {
        try {
          rebuildJob(jobDefinition(target), args as never);
        } catch (error) {
          if (!(error instanceof QueueException)) throw error;
        }
        return true;
      }),
    );
  });

  it('are redacted without an error and without a sensitive value, whatever is stored', () => {
    fc.assert(
      fc.property(fc.dictionary(key, wire), (args) => {
        const shown = redactArguments(jobDefinition(Secret), args as never);
        return Object.values(shown).every((value) => value === '[redacted]');
      }),
    );
  });
});

/** Zero without its sign and objects without the difference that a missing prototype makes. */
function normalized(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return new Map(Object.keys(value).map((name) => [name, normalized(Reflect.get(value, name))]));
}

function containersOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersOf)];
}
