import type { TargetName } from '../target.js';
import type { StoreName } from './stores.js';

/** A place in the sources of the library, and what stands there instead. */
export interface SourcePatch {
  /** From the project's folder on: a TypeScript, Lua or SQL source of lib/. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Cases of the conformance suite, run against one backend of the broken library. */
export interface CaughtByCases {
  readonly suite: StoreName;
  readonly cases: readonly [string, ...string[]];
  /** Passes on the mutant too, instead of the case that does elsewhere. */
  readonly control?: string;
}

/** Tests of one file, run against the broken library. A title is a test's own, without those of its describes. */
export interface CaughtByTests {
  readonly file: string;
  readonly tests: readonly [string, ...string[]];
  /** The one backend, by its name in KINETIS_TEST_BACKENDS, that they are run on, where they are run on several. */
  readonly backend?: string;
}

/** A fault trial whose processes run the broken library, and rules of the judge that it has to break. */
export interface CaughtByJudge {
  /** The file of the cell, from test/faults/cells/ on: `process/worker-killed`. */
  readonly cell: string;
  readonly target: TargetName;
  readonly seed: number;
  readonly rules: readonly [string, ...string[]];
}

export type CaughtBy = CaughtByCases | CaughtByTests | CaughtByJudge;

/** The library, broken in one way: all of the patches together. */
export interface SourceMutant {
  readonly patches: readonly [SourcePatch, ...SourcePatch[]];
  /** Each case and each test that is named has to fail, each rule to be broken. */
  readonly caughtBy: CaughtBy;
  /** The judge of fault trials has to notice as well. */
  readonly judged?: CaughtByJudge;
}

/** Mutants by what they do wrong. */
export type SourceMutants = { readonly [what: string]: SourceMutant };
