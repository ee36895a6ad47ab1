import type { JobDefinition } from '../job-definition.js';

/** A method of a job class that is called with providers. */
export interface JobMethod {
  readonly name: 'handle' | 'failed';
  /** The decorator that makes TypeScript emit the types of its parameters. */
  readonly decorator: string;
  /** How its tokens are named, for toolchains that emit no types. */
  readonly injectOption: string;
  /** Parameters at the front that the worker gives itself. */
  readonly given: number;
  inject(definition: JobDefinition): readonly unknown[] | null;
}

export const HANDLE: JobMethod = {
  name: 'handle',
  decorator: '@Handle()',
  injectOption: '@Job({ inject: [...] })',
  given: 0,
  inject: (definition) => definition.inject,
};

/** Called with the error of the job before its providers. */
export const FAILED: JobMethod = {
  name: 'failed',
  decorator: '@OnJobFailed()',
  injectOption: '@OnJobFailed({ inject: [...] })',
  given: 1,
  inject: (definition) => definition.onFailed?.inject ?? null,
};
