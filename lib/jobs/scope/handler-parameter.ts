import type { ForwardReference, InjectionToken } from '@nestjs/common';

/** What one parameter of `handle()` gets: the delivery itself, or a provider of the job's module. */
export type HandlerParameter =
  | { readonly kind: 'delivery' }
  | {
      readonly kind: 'provider';
      readonly token: InjectionToken | ForwardReference;
      /** Undefined where no provider is found, instead of an error at boot. */
      readonly optional: boolean;
    };

/** A parameter that names nothing the container could provide. */
export interface ParameterProblem {
  /** Which one: `SendMail.handle(), parameter 1 "mailer"`. */
  readonly where: string;
  /** What came, and what to do. */
  readonly reason: string;
}

/** The parameters of one job class, read from its metadata without a container. */
export interface HandlerParameters {
  readonly parameters: readonly HandlerParameter[];
  readonly problems: readonly ParameterProblem[];
}
