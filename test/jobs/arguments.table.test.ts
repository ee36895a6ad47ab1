import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { UnserializableJobException } from '../../lib/contract/index.js';
import {
  encodeArguments,
  Job,
  jobDefinition,
  jobDefinitionOf,
  rebuildJob,
  type JobInstance,
} from '../../lib/jobs/index.js';
import {
  Status,
  Color,
  Mixed,
  Money,
  Point,
  Anything,
  Text,
  Count,
  Flag,
  At,
  MaybeAt,
  WithStatus,
  WithColor,
  WithMixed,
  EmittedStatus,
  List,
  Price,
  Place,
  Broken,
  Leaky,
  Tags,
  Async,
  Throwing,
  Secret,
  Defaulted,
  Marked,
} from './argument-jobs.js';

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}
function sparse(length: number): unknown[] {
  const array: unknown[] = [];
  array.length = length;
  return array;
}
function cycle(): unknown {
  const loop: { again?: unknown } = {};
  loop.again = [loop];
  return loop;
}
function withSymbol(): unknown {
  return { a: 1, [Symbol('key')]: 2 };
}
const parsed = (text: string): unknown => JSON.parse(text);

type Make = new (value: never) => JobInstance;

/** What must come back equal; the fourth is what is rebuilt where that is something else on purpose. */
const TRAVELS: readonly (readonly [what: string, make: Make, value: unknown, back?: unknown])[] = [
  ['null', Anything, null],
  ['true', Anything, true],
  ['false', Flag, false],
  ['zero', Count, 0],
  ['minus zero, as zero', Count, -0, 0],
  ['minus zero within, as zero', Anything, { a: [-0] }, { a: [0] }],
  ['a negative number', Count, -17],
  ['a fraction', Count, 0.1],
  ['the largest safe integer', Count, Number.MAX_SAFE_INTEGER],
  ['the largest double', Count, Number.MAX_VALUE],
  ['the smallest double', Count, Number.MIN_VALUE],
  ['empty text', Text, ''],
  ['text', Text, 'hello'],
  ['text with quotes, backslashes and SQL', Text, `"'\\'; drop table jobs; --`],
  ['text with NUL and control characters', Text, 'a\u0000b\u0007\n\u2028'],
  ['text beyond the basic plane', Text, 'Ünïcode 🎉 日本語'],
  ['200 KB of text', Text, 'x'.repeat(200_000)],
  ['an empty array', List, []],
  ['an array', List, [1, 'two', null, true, [3]]],
  ['an array of 10,000', List, Array.from({ length: 10_000 }, (_, index) => index)],
  ['an empty object', Anything, {}],
  ['an object', Anything, { a: 1, b: { c: ['d'] } }],
  ['an object without a prototype', Anything, Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['an object with an empty key', Anything, { '': 1 }],
  ['an object with number-like keys', Anything, { 1: 'a', 0: 'b' }],
  ['an own key constructor', Anything, parsed('{"constructor":{"prototype":{"polluted":true}}}')],
  ['an own key __proto__', Anything, parsed('{"__proto__":{"polluted":true},"a":1}')],
  ['an own key toJSON that is data', Anything, { toJSON: 'text' }],
  ['an own key hasOwnProperty', Anything, { hasOwnProperty: 1 }],
  ['32 levels', Anything, nested(32)],
  ['one object in two places', Anything, ((shared) => [shared, shared])({ a: 1 })],
  [
    'values of another realm, as Jest has one',
    Anything,
    runInNewContext('({ a: [1, { b: 2 }] })'),
    { a: [1, { b: 2 }] },
  ],
  ['a Date of another realm', At, runInNewContext('new Date(9)'), new Date(9)],
  ['null for text', Text, null],
  ['null for a number', Count, null],
  ['null for a flag', Flag, null],
  ['a Date', At, new Date('2024-02-29T12:34:56.789Z')],
  ['the epoch', At, new Date(0)],
  ['a Date before the epoch', At, new Date('0001-01-01T00:00:00.000Z')],
  ['the last Date of RFC 3339', At, new Date('9999-12-31T23:59:59.999Z')],
  ['null for a Date', At, null],
  ['a Date by @Arg(Date)', MaybeAt, new Date(1)],
  ['null by @Arg(Date)', MaybeAt, null],
  ['a member of a string enum', WithStatus, Status.Done],
  ['null for an enum', WithStatus, null],
  ['a member of a number enum', WithColor, Color.Red],
  ['a member of a mixed enum', WithMixed, Mixed.Some],
  ['a member of an enum that was emitted', EmittedStatus, Status.Open],
  ['a class by a codec', Price, new Money(12345678901234567890n, 'EUR')],
  ['a class that is its own codec', Place, new Point(1, -2)],
  ['what a schema accepts', Tags, ['ab', 'cd']],
  ['a sensitive argument', Secret, { token: 'abc' }],
  ['undefined where there is a default', Defaulted, undefined, 'default'],
  ['undefined where it is @Optional()', Marked, undefined],
  ['null where there is a default', Defaulted, null],
];

const noWire = (place: string, problem: string): RegExp =>
  new RegExp(
    `^Job \\w+: argument "value" has no wire form: ${place.replace(/[[\].{}]/g, '\\$&')} is ${problem}`,
  );

const REFUSED: readonly (readonly [what: string, make: Make, value: unknown, message: RegExp])[] = [
  [
    'undefined',
    Anything,
    undefined,
    /argument "value" has no wire form: it is undefined.*@Optional\(\) of @nestjs\/common\.$/,
  ],
  ['undefined within an object', Anything, { a: undefined }, noWire('value.{0}', 'undefined')],
  ['undefined within an array', List, [undefined], noWire('value[0]', 'undefined')],
  ['NaN', Count, NaN, noWire('value', 'NaN or an infinity')],
  ['Infinity', Count, Infinity, noWire('value', 'NaN or an infinity')],
  ['minus Infinity within', List, [1, [2, -Infinity]], noWire('value[1][1]', 'NaN or an infinity')],
  ['a bigint', Anything, 1n, noWire('value', 'a bigint. Pass it as a string')],
  ['a symbol', Anything, Symbol('s'), noWire('value', 'a symbol')],
  [
    'a symbol as a key of an array',
    List,
    Object.assign([1], { [Symbol('key')]: 2 }),
    noWire('value', 'a symbol'),
  ],
  [
    'a class instance of another realm',
    Anything,
    runInNewContext('new Map()'),
    noWire('value', 'an instance'),
  ],
  ['a symbol as a key', Anything, withSymbol(), noWire('value', 'a symbol as a key')],
  ['a function', Anything, () => 1, noWire('value', 'a function')],
  ['a class', Anything, Money, noWire('value', 'a function')],
  ['a sparse array', List, sparse(3), noWire('value[0]', 'a hole in an array')],
  ['a long sparse array', List, sparse(4_000_000_000), noWire('value[0]', 'a hole in an array')],
  [
    'an array with a property',
    List,
    Object.assign([1], { extra: 1 }),
    noWire('value', 'an array with properties'),
  ],
  [
    'an accessor',
    Anything,
    {
      get a(): number {
        throw new Error('never called');
      },
    },
    noWire('value.{0}', 'an accessor'),
  ],
  [
    'an accessor in an array',
    List,
    Object.defineProperty([1, 2], 1, { get: () => 3, enumerable: true }),
    noWire('value[1]', 'an accessor'),
  ],
  [
    'a hidden property',
    Anything,
    Object.defineProperty({}, 'a', { value: 1 }),
    noWire('value.{0}', 'a hidden property'),
  ],
  ['an own toJSON', Anything, { toJSON: () => 1 }, noWire('value.{0}', 'a function')],
  [
    'an instance of a class',
    Anything,
    new Money(1n, 'EUR'),
    noWire('value', 'an instance of a class.*@Arg\\(codec\\)'),
  ],
  ['an Error', Anything, new Error('secret'), noWire('value', 'an instance of a class')],
  [
    'an object made from another',
    Anything,
    Object.create({ a: 1 }),
    noWire('value', 'an instance of a class'),
  ],
  ['a Map', Anything, new Map(), noWire('value', 'an instance of a class')],
  ['a Set', Anything, new Set(), noWire('value', 'an instance of a class')],
  ['a Buffer', Anything, Buffer.from('x'), noWire('value', 'an instance of a class')],
  ['a typed array', Anything, new Uint8Array(1), noWire('value', 'an instance of a class')],
  ['a Promise', Anything, Promise.resolve(), noWire('value', 'an instance of a class')],
  ['a regular expression', Anything, /x/, noWire('value', 'an instance of a class')],
  ['a boxed string', Anything, new String('x'), noWire('value', 'an instance of a class')], // oxlint-disable-line no-new-wrappers
  [
    'a subclass of Array',
    Anything,
    new (class Stack extends Array {})(),
    noWire('value', 'an instance of a subclass'),
  ],
  ['a lone surrogate', Text, 'a\ud800', noWire('value', 'text that holds a lone surrogate')],
  [
    'a lone surrogate in a key',
    Anything,
    { a: 1, '\udc00': 1 },
    noWire('value.{1}', 'a key that holds a lone'),
  ],
  [
    'a cycle, without its middle',
    Anything,
    cycle(),
    /: value(.{1,4}){3}…(.{1,4}){2} is a value nested deeper than 32 levels, or a cycle/,
  ],
  ['33 levels', Anything, nested(33), /value[.[].* is a value nested deeper than 32 levels/],
  ['a place deep inside', Anything, { items: [0, 1, 2, { key: NaN }] }, noWire('value.{0}[3].{0}', 'NaN')],
  ['a number for text', Text, 5, noWire('value', 'a number where a string is expected')],
  ['text for a number', Count, '5', noWire('value', 'a string where a number is expected')],
  ['a number for a flag', Flag, 1, noWire('value', 'a number where a boolean is expected')],
  ['an object for text', Text, {}, noWire('value', 'an object where a string is expected')],
  ['a Date for text', Text, new Date(0), noWire('value', 'a Date where a string is expected')],
  [
    'a Date of which the parameter says nothing',
    Anything,
    new Date(0),
    noWire('value', 'a Date.*@Arg\\(Date\\)'),
  ],
  ['a Date inside a value', Anything, { at: new Date(0) }, noWire('value.{0}', 'a Date.*toISOString')],
  ['text for a Date', At, '2024-01-01T00:00:00Z', noWire('value', 'a string where a Date is expected')],
  ['an invalid Date', At, new Date(NaN), noWire('value', 'an invalid Date')],
  [
    'a subclass of Date',
    At,
    new (class Moment extends Date {})(0),
    noWire('value', 'an instance of a subclass of Date'),
  ],
  ['a Date beyond RFC 3339', At, new Date(8.64e15), noWire('value', 'a Date outside the years 0 to 9999')],
  ['a Date before the year 0', At, new Date(-8.64e15), noWire('value', 'a Date outside the years 0 to 9999')],
  ['no member of an enum', WithStatus, 'lost', noWire('value', 'a value that is none of the 2 members')],
  ["a number enum's name", WithColor, 'Red', noWire('value', 'a value that is none of the 2 members')],
  [
    'no member of an emitted enum',
    EmittedStatus,
    'lost',
    noWire('value', 'a value that is none of the 2 members'),
  ],
  [
    'what a codec refuses',
    Broken,
    'secret',
    noWire('value', 'a value that its codec did not encode \\(RangeError\\)'),
  ],
  [
    'what a codec makes no wire value of',
    Leaky,
    1,
    noWire('value', 'a value that its codec encodes to an instance'),
  ],
  [
    'what a schema refuses',
    Tags,
    ['ab', 'c'],
    noWire('value[1]', 'a value that its schema refuses \\(1 issue\\)'),
  ],
  [
    'what a schema refuses twice',
    Tags,
    ['a', 'b'],
    noWire('value[0]', 'a value that its schema refuses \\(2 issues\\)'),
  ],
  [
    'an asynchronous schema',
    Async,
    1,
    noWire('value', 'a schema that answers asynchronously. Use a synchronous'),
  ],
  ['a schema that throws', Throwing, 1, noWire('value', 'a value on which its schema threw \\(TypeError\\)')],
  [
    'a proxy that throws',
    Anything,
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('secret');
        },
      },
    ),
    noWire('value', 'a value that throws when it is read'),
  ],
  ['a revoked proxy', Anything, revoked(), noWire('value', 'a value that throws when it is read')],
  [
    'a sensitive argument, of which nothing is told',
    Secret,
    { list: [1, NaN] },
    /^Job Secret: argument "value" has no wire form\. It is sensitive: what came is not told\. Push plain values[^:]*\.$/,
  ],
];

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Encoded, through JSON text as every backend carries it, and rebuilt. */
function roundTrip(job: JobInstance): JobInstance {
  const definition = jobDefinitionOf(job);
  const text = JSON.stringify(encodeArguments(definition, job));
  return rebuildJob(definition, JSON.parse(text));
}

/** Tells -0 from 0, and prototypes by what they are, whatever an own key `constructor` says. */
function expectSame(came: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(came, expected)) expect(came).toBe(expected);
}

describe('arguments that travel', () => {
  for (const [what, Make, value, ...back] of TRAVELS) {
    const expected = back.length > 0 ? back[0] : value;

    it(what, () => {
      const job = new Make(value as never);
      const rebuilt = roundTrip(job);
      expect(rebuilt).toBeInstanceOf(Make);
      expect(rebuilt).not.toBe(job);
      expectSame(Reflect.get(rebuilt, 'value'), expected);
    });

    it(`${what}, also without text in between`, () => {
      const job = new Make(value as never);
      const definition = jobDefinitionOf(job);
      const rebuilt: unknown = Reflect.get(rebuildJob(definition, encodeArguments(definition, job)), 'value');
      expectSame(rebuilt, expected);
      if (typeof value === 'object' && value !== null) expect(rebuilt).not.toBe(value);
    });
  }
});

describe('arguments that are refused before anything is sent', () => {
  it.each(REFUSED)('%s', (_what, Make: Make, value: unknown, message) => {
    const job = new Make(value as never);
    const encode = (): unknown => encodeArguments(jobDefinitionOf(job), job);
    expect(encode).toThrow(UnserializableJobException);
    expect(encode).toThrow(message);
    expect(encode).not.toThrow(/secret|EUR/);
  });
});

describe('minus zero', () => {
  it.each([[-0], [[-0]], [{ a: [1, { b: -0 }] }]])('leaves as zero, text or not: %j', (value) => {
    const job = new Anything(value);
    const encoded = encodeArguments(jobDefinitionOf(job), job);
    expectSame(encoded, JSON.parse(JSON.stringify(encoded)));
  });
});

describe('arguments and prototypes', () => {
  it('reaches no prototype by __proto__ or constructor', () => {
    const job = new Anything(
      parsed('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    );
    const rebuilt = (roundTrip(job) as Anything).value as object;
    expect(Object.getPrototypeOf(rebuilt)).toBe(Object.prototype);
    expect(Object.keys(rebuilt)).toEqual(['__proto__', 'constructor']);
    expect('polluted' in rebuilt).toBe(false);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('calls no toJSON that a library put on a prototype', () => {
    Reflect.defineProperty(Array.prototype, 'toJSON', { value: () => 'replaced', configurable: true });
    try {
      const job = new Anything([1]);
      expect(() => encodeArguments(jobDefinitionOf(job), job)).toThrow(/a value with toJSON/);
    } finally {
      Reflect.deleteProperty(Array.prototype, 'toJSON');
    }
  });

  it('carries an argument that is named like a property of every object', () => {
    const target = new Function(
      'return class Odd { constructor(a) { this.constructor = a } handle() {} }',
    )() as never;
    Job()(target);
    const definition = jobDefinition(target);
    const encoded = encodeArguments(definition, Reflect.construct(target, ['x']) as JobInstance);
    expect(JSON.stringify(encoded)).toBe('{"constructor":"x"}');
    expect(Reflect.get(rebuildJob(definition, encoded), 'constructor')).toBe('x');
    expect(() => rebuildJob(definition, {})).toThrow(/no argument "constructor" is stored/);
  });

  it('covers at least sixty arguments', () => {
    expect(TRAVELS.length + REFUSED.length).toBeGreaterThanOrEqual(60);
  });
});
