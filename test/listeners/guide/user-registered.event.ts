import { Arg, Sensitive } from '@kinetis/nestjs-queue';

/** Travels by its constructor's arguments, and is made anew from them where its listener runs. */
export class UserRegistered {
  constructor(
    readonly userId: number,
    readonly email: string,
    @Arg(Date) readonly at: Date, // no decorator on the class: TypeScript emits no types, so a Date says that it is one
    @Sensitive() readonly token: string, // shown as [redacted]
  ) {}

  get confirmationLink(): string {
    return `https://example.org/confirm/${this.token}`;
  }
}
