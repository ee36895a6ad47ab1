/** A value that JSON can carry and give back equal. */
export type WireValue =
  null | boolean | number | string | readonly WireValue[] | { readonly [key: string]: WireValue };

/** A step of a chain that is still to come, as it will be stored. */
export interface ChainStep {
  /** The id that the job will have, made when the chain was pushed. */
  readonly id: string;
  readonly queue: string;
  readonly class: string;
  readonly args: { readonly [name: string]: WireValue };
  readonly maxAttempts: number | null;
  readonly priority: number;
  readonly leaseSeconds: number | null;
  readonly delaySeconds: number;
  /** Added to the metadata of the job before it, which it inherits. */
  readonly metadata: { readonly [key: string]: string };
}

/**
 * The immutable part of an envelope, stored as JSON text and carried unchanged through every transition, so that
 * fields which this code does not know survive.
 *
 * @publicApi
 */
export interface JobBody {
  /** 32 hexadecimal digits, made at the push and kept through retries. Those of the package begin with the time. */
  readonly id: string;
  /** RFC 3339, UTC: when the job was pushed, by the pushing process's clock. */
  readonly pushedAt: string;
  /** The job's wire name. */
  readonly class: string;
  /** Encoded constructor arguments by parameter name. */
  readonly args: { readonly [name: string]: WireValue };
  readonly maxAttempts: number | null;
  readonly metadata: { readonly [key: string]: string };
  readonly chain: readonly ChainStep[];
}

export function encodeBody(body: JobBody): string {
  return JSON.stringify(body);
}
