import { Injectable } from '@nestjs/common';

/** What ties the end of a worker to the end of its application, whoever begins it. */
@Injectable()
export class WorkerDrain {
  #drain: (() => Promise<unknown>) | null = null;
  #begun = false;
  #reportClosed: () => void = () => undefined;
  /** Resolves when every provider of the application was destroyed. */
  readonly closed = new Promise<void>((resolve) => (this.#reportClosed = resolve));
  #isClosed = false;

  /** The application is being closed, by whomever. */
  get begun(): boolean {
    return this.#begun;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** What has to be over before any provider is destroyed. */
  before(drain: () => Promise<unknown>): void {
    this.#drain = drain;
  }

  async run(): Promise<void> {
    this.#begun = true;
    await this.#drain?.();
  }

  markClosed(): void {
    this.#isClosed = true;
    this.#reportClosed();
  }
}
