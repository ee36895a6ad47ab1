import 'reflect-metadata';
import { inspect } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { JobReconstructionException, type WireValue } from '../../lib/contract/index.js';
import {
  Arg,
  Handle,
  Job,
  jobDefinition,
  rebuildJob,
  Sensitive,
  type ArgCodec,
} from '../../lib/jobs/index.js';

enum Status {
  Open = 'open',
}
const even: ArgCodec<number> = {
  encode: (value) => value,
  decode: (value) => {
    if (typeof value !== 'number' || value % 2 !== 0) throw new RangeError(`odd: ${String(value)}`);
    return value;
  },
};

@Job({ name: 'mail' })
class Mail {
  constructor(
    readonly email: string,
    readonly count: number,
    readonly at: Date,
    @Arg(Status) readonly status: Status,
    @Arg(even) readonly even: number,
    @Arg(v.object({ tags: v.array(v.string()) })) readonly shape: { tags: string[] },
    @Sensitive() readonly token: string,
    readonly flag: boolean = true,
    readonly any?: unknown,
  ) {
    if (email === 'throw-away-secret') throw new TypeError(`no mail to ${email}`);
  }
  @Handle() handle(): void {}
}

@Job({ args: ['anything'] })
class Opaque {
  readonly #anything: unknown;
  constructor(anything: unknown = null) {
    this.#anything = anything;
  }
  get anything(): unknown {
    return this.#anything;
  }
  @Handle() handle(): void {}
}

const GOOD: { readonly [name: string]: WireValue } = {
  email: 'a@b.c',
  count: 1,
  at: '2024-02-29T12:00:00.123000Z',
  status: 'open',
  even: 2,
  shape: { tags: ['x'] },
  token: 'secret',
  any: null,
};

const without = (name: string): { readonly [name: string]: WireValue } =>
  Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name));
const deep = (levels: number): WireValue => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

const REFUSED: readonly (readonly [what: string, args: object, reason: string, message: RegExp])[] = [
  ['a missing argument', without('email'), 'missing-argument', /no argument "email" is stored/],
  ['no arguments', {}, 'missing-argument', /no argument "email"/],
  ['an extra argument', { ...GOOD, old: 'secret' }, 'extra-argument', /does not have: "old"/],
  ['two extra arguments', { ...GOOD, a: 1, b: 2 }, 'extra-argument', /2 arguments are stored.*: "a", "b"/],
  [
    'an extra argument that is no name',
    { ...GOOD, 'a secret': 1 },
    'extra-argument',
    /: one that is no name/,
  ],
  ['an extra __proto__', JSON.parse('{"__proto__":1}'), 'missing-argument', /no argument "email"/],
  [
    'a number for text',
    { ...GOOD, email: 1 },
    'argument-type',
    /email is a number where a string is expected/,
  ],
  [
    'text for a number',
    { ...GOOD, count: '1' },
    'argument-type',
    /count is a string where a number is expected/,
  ],
  ['an object for a number', { ...GOOD, count: {} }, 'argument-type', /an object where a number is expected/],
  ['a number beyond doubles', { ...GOOD, count: Infinity }, 'argument-refused', /beyond the range/],
  [
    'a number beyond doubles within',
    { ...GOOD, any: [Infinity] },
    'argument-refused',
    /no push could have stored/,
  ],
  [
    'text for a flag',
    { ...GOOD, flag: 'true' },
    'argument-type',
    /flag is a string where a boolean is expected/,
  ],
  [
    'a number for a Date',
    { ...GOOD, at: 1 },
    'argument-type',
    /at is a number where the text of a Date is expected/,
  ],
  [
    'a Date in words',
    { ...GOOD, at: 'today' },
    'argument-refused',
    /at is text that is no time in RFC 3339, UTC/,
  ],
  ['a Date with an offset', { ...GOOD, at: '2024-01-01T00:00:00+02:00' }, 'argument-refused', /RFC 3339/],
  ['a 30th of February', { ...GOOD, at: '2024-02-30T00:00:00.000000Z' }, 'argument-refused', /RFC 3339/],
  ['24 hours', { ...GOOD, at: '2024-02-28T24:00:00.000000Z' }, 'argument-refused', /RFC 3339/],
  ['a 13th month', { ...GOOD, at: '2024-13-01T00:00:00.000000Z' }, 'argument-refused', /RFC 3339/],
  [
    'no member of an enum',
    { ...GOOD, status: 'lost' },
    'argument-refused',
    /none of the 1 members of its enum/,
  ],
  ['an object for an enum', { ...GOOD, status: {} }, 'argument-refused', /none of the 1 members/],
  [
    'what a codec refuses',
    { ...GOOD, even: 31337 },
    'argument-refused',
    /codec did not decode \(RangeError\)/,
  ],
  [
    'what a schema refuses',
    { ...GOOD, shape: { tags: ['x', 31337] } },
    'argument-refused',
    /shape\.\{0\}\[1\] is a value that its schema refuses \(1 issue\)/,
  ],
  [
    'an entry that a schema misses',
    { ...GOOD, shape: {} },
    'argument-refused',
    /: shape is a value that its schema refuses/,
  ],
  [
    'a value nested too deep',
    { ...GOOD, any: deep(33) },
    'argument-refused',
    /any is a value that no push could have/,
  ],
  [
    'a value nested without end',
    { ...GOOD, any: deep(100_000) },
    'argument-refused',
    /no push could have stored/,
  ],
  [
    'a sensitive argument of another type',
    { ...GOOD, token: 31337 },
    'argument-type',
    /"token" does not fit.*; it is sensitive/,
  ],
  [
    'what the constructor refuses',
    { ...GOOD, email: 'throw-away-secret' },
    'constructor-threw',
    /^Job mail: the constructor threw \(TypeError\)/,
  ],
];

describe('a stored job that does not fit the class of today', () => {
  it.each(REFUSED)('is refused: %s', (_what, args, reason, message) => {
    const error = thrownBy(() => rebuildJob(jobDefinition(Mail), args as never));
    expect(error).toBeInstanceOf(JobReconstructionException);
    expect(error).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect((error as Error).message).not.toMatch(/secret|31337/);
  });

  it('shows no stored value, not in a cause either, but for what the constructor itself threw', () => {
    const error = thrownBy(() => rebuildJob(jobDefinition(Mail), { ...GOOD, even: 31337 }));
    expect(inspect(error)).not.toContain('31337');
    const cause = thrownBy(() =>
      rebuildJob(jobDefinition(Mail), { ...GOOD, email: 'throw-away-secret' }),
    ).cause;
    expect(cause).toBeInstanceOf(TypeError);
  });
});

describe('a stored job that fits', () => {
  it('is made by the constructor, with defaults for what is not stored', () => {
    const job = rebuildJob(jobDefinition(Mail), GOOD) as Mail;
    expect(job).toBeInstanceOf(Mail);
    expect(job.flag).toBe(true);
    expect(job.at).toEqual(new Date('2024-02-29T12:00:00.123Z'));
  });

  it('takes a time of any precision, down to the millisecond', () => {
    for (const fraction of ['', '.1', '.100', '.100999', '.100000000']) {
      const job = rebuildJob(jobDefinition(Mail), { ...GOOD, at: `2024-01-01T00:00:00${fraction}Z` }) as Mail;
      expect(job.at).toEqual(new Date(fraction === '' ? '2024-01-01T00:00:00Z' : '2024-01-01T00:00:00.100Z'));
    }
  });

  it('gets null where only an emitted type says otherwise', () => {
    const job = rebuildJob(jobDefinition(Mail), {
      ...GOOD,
      email: null,
      count: null,
      at: null,
      flag: null,
    }) as Mail;
    expect([job.email, job.count, job.at, job.flag]).toEqual([null, null, null, null]);
  });

  it('may change its arguments without changing what is stored', () => {
    const stored = { anything: { list: [1] } };
    const job = rebuildJob(jobDefinition(Opaque), stored) as Opaque;
    (job.anything as { list: number[] }).list.push(2);
    expect(stored).toEqual({ anything: { list: [1] } });
  });
});

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Expected an error, none was thrown.');
}
