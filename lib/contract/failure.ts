/** Why a job was given up on. */
export type FailureCause = 'exhausted' | 'fatal' | 'unknown-class' | 'crash-limit' | 'undecodable';

/** What the failed store keeps about a failure. `message` and `stack` hold no sensitive argument and no NUL. */
export interface Failure {
  readonly cause: FailureCause;
  /** Name of the error's class. */
  readonly error: string;
  readonly message: string;
  readonly stack: string | null;
}
