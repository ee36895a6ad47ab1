import assert from 'node:assert/strict';
import { type Consumption, QueuedJob, QueueNotConsumableException } from '../../contract/index.js';
import type { ReserveAnswer } from '../../queue/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Inbox } from './inbox.js';
import { rawItem } from './raw-items.js';
import { type Session, textOf } from './session.js';

const consumeCase = concern('consume', { pushDelivery: true });

/** Consumes the case's queue while `body` runs. */
async function consuming(
  session: Session,
  prefetch: number,
  body: (inbox: Inbox<ReserveAnswer>, consumption: Consumption) => Promise<void>,
): Promise<void> {
  const inbox = new Inbox<ReserveAnswer>(session.patienceMs);
  const consumption = await session.connection.consume(session.queue, {
    prefetch,
    take: (answer) => inbox.put(answer),
    ended: (error) => inbox.end(error),
  });
  try {
    await body(inbox, consumption);
  } finally {
    await consumption.stop();
  }
}

function jobOf(answer: ReserveAnswer): QueuedJob {
  assert.ok(answer instanceof QueuedJob, `expected a job, came ${answer.constructor.name}`);
  return answer;
}

export const consumeCases: readonly ConformanceCase[] = [
  consumeCase('what is there and what is pushed later comes by itself, oldest first', async (session) => {
    await session.pushAll(['a', 'b']);
    await consuming(session, 10, async (inbox) => {
      const early = [jobOf(await inbox.next()), jobOf(await inbox.next())];
      session.expectTexts(early.map(textOf), ['a', 'b']);
      await session.push('c');
      const late = jobOf(await inbox.next());
      expectSame(textOf(late), 'c', 'the job that was pushed later comes by itself');
      for (const job of [...early, late]) await session.connection.settler.ack(job);
    });
    await session.expectNothing('all were acknowledged');
  }),
  consumeCase('never more come than the prefetch, until one is settled', async (session) => {
    await session.pushAll(['a', 'b', 'c', 'd']);
    await consuming(session, 2, async (inbox) => {
      const held = [jobOf(await inbox.next()), jobOf(await inbox.next())];
      expectSame(textOf(await session.take()), 'c', 'the third was not sent ahead');
      expectSame(inbox.size, 0, 'deliveries beyond the prefetch');
      await session.connection.settler.ack(held[0] as QueuedJob);
      expectSame(textOf(jobOf(await inbox.next())), 'd', 'the job that comes when one was settled');
    });
  }),
  consumeCase('after a stop nothing comes, and what came before can be settled', async (session) => {
    await session.push('a');
    await consuming(session, 5, async (inbox, consumption) => {
      const job = jobOf(await inbox.next());
      await consumption.stop();
      await session.push('b');
      expectSame(
        textOf(await session.take()),
        'b',
        'the job that was pushed after the stop is left for who asks',
      );
      await session.connection.settler.ack(job);
      expectSame(inbox.size, 0, 'deliveries after the stop');
    });
  }),
  consumeCase('only the queue that was asked for is consumed', async (session) => {
    const other = session.anotherQueue();
    await session.push('there', { queue: other });
    await session.push('here');
    await consuming(session, 5, async (inbox) => {
      const job = jobOf(await inbox.next());
      expectSame([job.queue, textOf(job)], [session.queue, 'here'], 'queue and text of the delivery');
      expectSame(
        textOf(await session.take(other)),
        'there',
        'the job of the other queue is left for who asks',
      );
    });
  }),
  consumeCase(
    'an item that is no job is told and keeps no place',
    async (session) => {
      await session.storeRaw(rawItem({}, { class: '' }));
      await session.push('good');
      await consuming(session, 1, async (inbox) => {
        expectSame(
          (await inbox.next()).constructor.name,
          'MalformedJobSettledException',
          'an item that is no job is told',
        );
        expectSame(textOf(jobOf(await inbox.next())), 'good', 'the job behind it');
      });
    },
    { facilities: ['storeRaw'] },
  ),
  consumeCase(
    'a consumer that was cut off is told, and what it held comes again',
    async (session) => {
      await session.push('a');
      await consuming(session, 1, async (inbox) => {
        const job = jobOf(await inbox.next());
        await session.disconnect();
        assert.ok((await inbox.ended()) instanceof Error, 'a consumer that was cut off is told the error');
        expectSame(job.lost?.aborted, true, 'the delivery is told that it was lost');
        expectSame((await session.take()).id, job.id, 'the lost job comes again');
      });
    },
    { facilities: ['disconnect'], extend: false },
  ),
  concern('consume')(
    'is refused where the backend has to be asked',
    async (session) => {
      const options = { prefetch: 1, take: () => undefined, ended: () => undefined };
      await assert.rejects(
        () => session.connection.consume(session.queue, options),
        QueueNotConsumableException,
      );
    },
    { pushDelivery: false },
  ),
];
