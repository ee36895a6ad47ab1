import 'reflect-metadata';
import { Optional } from '@nestjs/common';
import { transformSync } from 'rolldown/utils';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as jobs from '../../lib/jobs/index.js';

type Compile = (source: string) => string;

const tsc =
  (strictNullChecks: boolean): Compile =>
  (source) =>
    ts.transpileModule(source, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        strictNullChecks,
      },
    }).outputText;

const oxc: Compile = (source) =>
  transformSync('job.ts', source, {
    decorator: { legacy: true, emitDecoratorMetadata: true },
    helpers: { mode: 'External' },
  }).code;

const withoutMetadata: Compile = (source) =>
  ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, experimentalDecorators: true },
  }).outputText;

/** What bundlers' helpers do, under one name each. */
const babelHelpers = {
  decorate: (decorators: readonly ((target: unknown) => unknown)[], target: unknown): unknown => {
    for (const decorator of decorators.toReversed()) decorator(target);
    return target;
  },
  decorateParam:
    (index: number, decorator: (...place: unknown[]) => void) => (target: unknown, method?: unknown) =>
      decorator(target, method, index),
  decorateMetadata: (key: string, value: unknown) => Reflect.metadata(key, value),
};

const SOURCE = `
  enum Status { Open = 'open', Done = 'done' }
  @Job()
  class Mixed {
    constructor(
      readonly text: string,
      readonly maybeText: string | null,
      readonly literal: 'a' | 'b',
      readonly count: number,
      readonly at: Date,
      readonly maybeAt: Date | null,
      readonly status: Status,
      readonly list: string[],
      readonly shape: { a: number },
      readonly either: string | number,
      @Optional() readonly optional?: string,
      @Arg(Date) readonly declared: Date | null = null,
    ) {}
    handle() {}
  }
  return { Mixed, Status };
`;

interface Classes {
  readonly Mixed: jobs.JobClass;
  readonly Status: { readonly Open: string };
}

function evaluate(compile: Compile): Classes {
  const code = compile(`export const classes = (() => {${SOURCE}})();`)
    .replace(/^import .*$/gm, '')
    .replace(/export const classes\s*=/, 'return ')
    .replace(/export\s*\{[^}]*\};?\s*$/, '');
  const run = new Function('Job', 'Arg', 'Optional', 'babelHelpers', code.replaceAll('"use strict";', ''));
  return run(jobs.Job, jobs.Arg, Optional, babelHelpers) as Classes;
}

/** The arguments in order, with one replaced. */
function argumentsWith(replaced: { readonly [name: string]: unknown } = {}): unknown[] {
  const all = {
    text: 'x',
    maybeText: 'y',
    literal: 'a',
    count: 1,
    at: new Date(5),
    maybeAt: null,
    status: 'open',
    list: ['a'],
    shape: { a: 1 },
    either: 2,
    optional: undefined,
    declared: new Date(7),
    ...replaced,
  };
  return Object.values(all);
}

function roundTrip(Mixed: jobs.JobClass, replaced?: { readonly [name: string]: unknown }): object {
  const definition = jobs.jobDefinition(Mixed);
  const encoded = jobs.encodeArguments(definition, new Mixed(...argumentsWith(replaced)));
  return jobs.rebuildJob(definition, JSON.parse(JSON.stringify(encoded)));
}

const COMPILERS: readonly (readonly [name: string, compile: Compile])[] = [
  ['tsc with strictNullChecks', tsc(true)],
  ['tsc without strictNullChecks', tsc(false)],
  ['oxc', oxc],
];

describe.each(COMPILERS)('types as %s emits them', (_name, compile) => {
  it('carry every argument and null for each that allows it', () => {
    const { Mixed } = evaluate(compile);
    expect(roundTrip(Mixed)).toEqual(new Mixed(...argumentsWith()));
    for (const name of ['text', 'maybeText', 'count', 'at', 'status', 'list', 'declared']) {
      expect(Reflect.get(roundTrip(Mixed, { [name]: null }), name)).toBeNull();
    }
  });

  it('refuse another primitive, and text for a Date', () => {
    const { Mixed } = evaluate(compile);
    expect(() => roundTrip(Mixed, { text: 1 })).toThrow(/text is a number where a string is expected/);
    expect(() => roundTrip(Mixed, { count: '1' })).toThrow(/count is a string where a number is expected/);
    expect(() => roundTrip(Mixed, { at: 'now' })).toThrow(/at is a string where a Date is expected/);
  });

  it('take anything where they say Object', () => {
    const { Mixed } = evaluate(compile);
    expect(Reflect.get(roundTrip(Mixed, { either: 'text' }), 'either')).toBe('text');
    expect(Reflect.get(roundTrip(Mixed, { list: { no: 'list' } }), 'list')).toEqual({ no: 'list' });
  });
});

describe('a Date | null', () => {
  it('is refused with the hint where the emitted type says nothing of Date', () => {
    const { Mixed } = evaluate(tsc(true));
    expect(() => roundTrip(Mixed, { maybeAt: new Date(0) })).toThrow(/maybeAt is a Date.*@Arg\(Date\)/);
  });

  it('travels where the compiler drops the null', () => {
    const { Mixed } = evaluate(tsc(false));
    expect(Reflect.get(roundTrip(Mixed, { maybeAt: new Date(3) }), 'maybeAt')).toEqual(new Date(3));
  });
});

describe('a toolchain that emits no types', () => {
  it('checks nothing but what can travel, and @Arg() still holds', () => {
    const { Mixed } = evaluate(withoutMetadata);
    expect(Reflect.get(roundTrip(Mixed, { at: null, text: 5 }), 'text')).toBe(5);
    expect(Reflect.get(roundTrip(Mixed, { at: null }), 'declared')).toEqual(new Date(7));
    expect(() => roundTrip(Mixed)).toThrow(/at is a Date.*@Arg\(Date\)/);
  });
});
