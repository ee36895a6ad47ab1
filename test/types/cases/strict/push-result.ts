import type { PushOptions, Queue } from '@kinetis/nestjs-queue';

declare const queue: Queue;
declare const key: string;
declare const options: PushOptions;

class Plain {
  handle(): void {}
}

class Unique {
  uniqueKey(): string {
    return 'x';
  }

  handle(): void {}
}

// Without a unique key an id always comes back.
export const id: Promise<string> = queue.push(new Plain());
export const delayedId: Promise<string> = queue.push(new Plain(), { delaySeconds: 5 });

// A duplicate is answered with null, which the caller must look at.
export const keyed: Promise<string | null> = queue.push(new Plain(), { uniqueKey: key });
// @ts-expect-error a unique key was given
export const keyedId: Promise<string> = queue.push(new Plain(), { uniqueKey: key });
// @ts-expect-error a literal unique key was given
export const literalId: Promise<string> = queue.push(new Plain(), { uniqueKey: 'x', delaySeconds: 5 });
// @ts-expect-error the class has uniqueKey()
export const uniqueId: Promise<string> = queue.push(new Unique());
// @ts-expect-error the class has uniqueKey(), whatever the options
export const uniqueDelayedId: Promise<string> = queue.push(new Unique(), { delaySeconds: 5 });
// @ts-expect-error options of which nothing more is known may hold a unique key
export const maybeKeyedId: Promise<string> = queue.push(new Plain(), options);
// @ts-expect-error any entry of a bulk push may be a duplicate
export const ids: Promise<string[]> = queue.pushMany([new Plain()]);
// @ts-expect-error there is no job to push
void queue.push(null);
// @ts-expect-error there is no job to push
void queue.push(undefined);
// @ts-expect-error only maxAttempts may be null
void queue.push(new Plain(), { delaySeconds: null });
