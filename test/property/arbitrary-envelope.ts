import * as fc from 'fast-check';
import { DEFERRED_RANK, type JobBody, type JobHeader, type WireValue } from '../../lib/contract/index.js';

/** Characters that some storage takes for something else, or does not take. */
const AWKWARD = [
  '\0',
  '\u0001',
  '\t',
  '\r',
  '\n',
  '"',
  '\\',
  '|',
  '$',
  '\u007f',
  '\u2028',
  '\ufeff',
  '\ufffe',
  '\uffff',
];
const unit = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

/** Text of any characters, no half ones among them. */
export const anyText = fc.string({ unit });

const count = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER - 2 }));
const priority = fc.integer({ min: -100, max: 100 });
const id = fc.stringMatching(/^[0-9a-f]{32}$/);
/** As `toISOString()` writes it, and to the microsecond. */
const pushedAt = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.constantFrom('', '123', '123456'),
  )
  .map(([date, finer]) => date.toISOString().replace('Z', `${finer}Z`));
const seconds = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.double({ min: 0.001, max: 100_000, noNaN: true }),
);

export const jobHeader: fc.Arbitrary<JobHeader> = fc.record({
  v: fc.constant(1),
  serial: count,
  attempts: count,
  deferrals: count,
  graceRounds: count,
  leaseSeconds: fc.option(seconds),
  priority,
  rank: fc.oneof(priority, fc.constant(DEFERRED_RANK)),
  uniqueKey: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
});

const args = fc
  .dictionary(anyText, fc.jsonValue({ stringUnit: unit }), { maxKeys: 4 })
  // As JSON has it: no zero with a sign, and every name an own one.
  .map((value) => JSON.parse(JSON.stringify(value)) as { readonly [name: string]: WireValue });
const metadata = fc.dictionary(anyText, anyText, { maxKeys: 3, noNullPrototype: true });
const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/);
const maxAttempts = fc.option(fc.nat());
const className = fc.string({ unit, minLength: 1, maxLength: 30 });

const chainStep = fc.record({
  id,
  queue: name,
  class: className,
  args,
  maxAttempts,
  priority,
  leaseSeconds: fc.option(seconds),
  delaySeconds: fc.oneof(fc.constant(0), seconds),
  metadata,
});

export const jobBody: fc.Arbitrary<JobBody> = fc.record({
  id,
  pushedAt,
  class: className,
  args,
  maxAttempts,
  metadata,
  chain: fc.array(chainStep, { maxLength: 3 }),
});
