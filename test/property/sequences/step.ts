/** How a delivery is ended. `give-back`: as if it had never been delivered. */
export type Ending = 'ack' | 'release' | 'give-back' | 'defer' | 'fail';

export interface PushedEntry {
  readonly delay: number;
  readonly priority: number;
  readonly key: string | null;
  /** Its lease is one unit, instead of the connection's. */
  readonly brief: boolean;
}

/**
 * One thing that somebody does to the two queues of a run. Times are in units, see time.ts. `pick` chooses among what is
 * there when the step's turn comes, and the step does nothing where nothing is; `by` is the process that acts.
 */
export type Step =
  | {
      readonly kind: 'push';
      readonly queue: number;
      readonly by: number;
      readonly entries: readonly PushedEntry[];
    }
  | {
      readonly kind: 'reserve';
      readonly queues: readonly number[];
      readonly limit: number;
      readonly by: number;
    }
  | { readonly kind: 'settle'; readonly pick: number; readonly how: Ending; readonly delay: number }
  | { readonly kind: 'settle-again'; readonly pick: number; readonly how: Ending | 'extend' }
  | { readonly kind: 'extend'; readonly pick: number; readonly units: number }
  | { readonly kind: 'advance'; readonly units: number }
  | { readonly kind: 'count'; readonly queue: number }
  | { readonly kind: 'clear' | 'pause' | 'resume' | 'retry-all' | 'flush'; readonly queue: number }
  | { readonly kind: 'retry' | 'forget' | 'promote' | 'remove'; readonly pick: number };

/** The step of that kind. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;
