import { Handle, Job } from '@kinetis/nestjs-queue';
import type { Examples } from './example.js';

class User {
  constructor(readonly id: number) {}

  rename(): void {}
}

/** Refused when the class is decorated. */
export const declarations: Examples = {
  'no-handle': () => {
    // shown: no-handle
    // @ts-expect-error The compiler says it too.
    @Job()
    class SendMail {
      constructor(readonly address: string) {}
    }
    // end
    return SendMail;
  },
  'not-assigned': () => {
    // shown: not-assigned
    @Job()
    class SendMail {
      readonly address: string;

      constructor(address: string) {
        this.address = address.trim();
      }

      handle(): void {}
    }
    // end
    return SendMail;
  },
  private: () => {
    // shown: private
    @Job()
    class SendMail {
      readonly #address: string;

      constructor(address: string) {
        this.#address = address;
      }

      @Handle()
      handle(): void {
        console.log(this.#address);
      }
    }
    // end
    return SendMail;
  },
  destructured: () => {
    // shown: destructured
    @Job()
    class SendMail {
      readonly address: string;

      constructor({ address }: { address: string }) {
        this.address = address;
      }

      handle(): void {}
    }
    // end
    return SendMail;
  },
  'class-typed': () => {
    // shown: class-typed
    @Job()
    class Welcome {
      constructor(readonly user: User) {}

      handle(): void {}
    }
    // end
    return Welcome;
  },
  'unknown-option': () => {
    // shown: unknown-option
    // @ts-expect-error The compiler says it too.
    @Job({ attempts: 3 })
    class SendMail {
      handle(): void {}
    }
    // end
    return SendMail;
  },
};
