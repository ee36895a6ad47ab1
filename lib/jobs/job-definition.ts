import type { WireValue } from '../contract/index.js';
import type { Backoff } from './backoff.js';
import type { JobClass } from './job-class.js';
import type { OnJobFailedOptions } from './on-job-failed.decorator.js';

/** How one constructor argument travels. Planned once per class, at decoration. */
export interface ArgumentPlan {
  readonly index: number;
  /**
   * The name on the wire: the property's, which survives minifiers. They rename a constructor's parameters, so that
   * the parameter's own name would change with the next build.
   */
  readonly parameter: string;
  /** The property of the instance that holds the value. */
  readonly property: string;
  readonly sensitive: boolean;
  /** For the log at boot: what will work otherwise than it looks. */
  readonly warning: string | null;
  /** The parameter has a default, or is assigned as `p ?? …`, or is `@Optional()`: a top-level undefined is left out. */
  readonly optional: boolean;
  /** On the wire the argument is an object that has these; absent where it is one value. */
  readonly parts?: readonly ArgumentPlan[];
  /** To the wire; throws `UnserializableJobException`. */
  encode(value: unknown): WireValue;
  /** From the wire, checked against today's type; throws `JobReconstructionException`. */
  decode(value: WireValue): unknown;
}

/** Everything that a job class declares, read once. Only data and the argument plans: no provider, no registry. */
export interface JobDefinition {
  readonly target: JobClass;
  /** Wire name. */
  readonly name: string;
  /** `@Job({ name })` gave it; else it is the class's, which a minifier may have shortened. */
  readonly explicitName?: boolean;
  readonly aliases: readonly string[];
  readonly queue: string;
  /** The connection that the job names, null for whichever queue pushes it. */
  readonly connection: string | null;
  /** null: the worker's default. */
  readonly maxAttempts: number | null;
  readonly backoff: Backoff;
  readonly priority: number;
  readonly leaseSeconds: number | null;
  readonly timeoutSeconds: number | null;
  readonly args: readonly ArgumentPlan[];
  /** Tokens for `handle()` given by `@Job({ inject })`, null where emitted metadata serves. */
  readonly inject: readonly unknown[] | null;
  /** What `@OnJobFailed()` on its method `failed` was given, null where there is none. */
  readonly onFailed?: OnJobFailedOptions | null;
}
