import { Injectable } from '@nestjs/common';

export class Busy extends Error {}

/** Stands for the HTTP interface of somebody else. It answers with what the order asks for. */
@Injectable()
export class Partner {
  #asked = 0;

  async call(status: number): Promise<{ readonly status: number; readonly retryAfterSeconds: number }> {
    this.#asked += 1;
    return { status: status === 429 && this.#asked > 1 ? 200 : status, retryAfterSeconds: 0.1 };
  }
}
