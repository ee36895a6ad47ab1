import assert from 'node:assert/strict';
import {
  canListQueues,
  InvalidQueueArgumentException,
  keepsFailedJobs,
  PushManyException,
  QueueServerException,
  ServerRefused,
  type Settlement,
  StaleJobHandleException,
} from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { Note } from './jobs.js';
import { at, type Session, textOf, withText } from './session.js';

const lostCase = concern('lost', { extend: false, facilities: ['disconnect'] });
const silenceCase = concern('silence', { facilities: ['silence'] });
const refusalCase = concern('refusal', { facilities: ['refuse'] });

/** Deliveries that end with the channel that they came by. */
const lost: readonly ConformanceCase[] = [
  lostCase('a delivery whose channel was closed is told so, and comes again', async (session) => {
    await session.push('a');
    const job = await session.take();
    expectSame(job.lost?.aborted, false, 'it is held until then');
    await session.disconnect();
    expectSame(job.lost?.aborted, true, 'the delivery is told that it was lost');
    const again = await session.take();
    expectSame(again.id, job.id, 'the lost job comes again');
    expectSame(again.lost?.aborted, false, 'it came by another channel');
    if (session.backend.capabilities.countsCrashes)
      expectSame(again.attempts, 2, 'attempts count the lost channel');
  }),
  lostCase('an ack settles no delivery that came before it', async (session) => {
    await session.pushAll(['first', 'second']);
    const jobs = await session.takeMany(2);
    await session.connection.settler.ack(withText(jobs, 'second'));
    // Asked behind the ack, on its channel: an answer says that the ack has arrived.
    await session.expectNothing('one is held, the other is gone');
    await session.disconnect();
    expectSame(textOf(await session.take()), 'first', 'the job that was held when the channel was closed');
    await session.expectNothing('the acknowledged job is gone');
  }),
  ...(['ack', 'release', 'fail'] as const).map((operation) =>
    lostCase(`${operation} after its channel was closed is stale and reaches nobody`, async (session) => {
      const { settler } = session.connection;
      await session.push('a');
      const job = await session.take();
      await session.disconnect();
      const again = await session.take();
      await assert.rejects(async () => {
        if (operation === 'fail') await settler.fail(job, new Error('no'));
        else await settler[operation](job);
      }, StaleJobHandleException);
      await session.expectNothing('the current delivery is nobody else’s, and nothing was stored');
      await settler.ack(again);
      await session.expectNothing('the current delivery was the current one');
    }),
  ),
];

async function isLeftOpen(settling: Promise<void>): Promise<void> {
  await assert.rejects(settling, (error) => {
    assert.ok(error instanceof QueueServerException, `expected an unknown outcome, came ${error}`);
    assert.ok(!(error instanceof ServerRefused), 'it may have been applied');
    return true;
  });
}

/** What is in the queue by now, and is taken out of it. */
async function rest(session: Session): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const [item] = await session.rest(1);
    if (item === undefined) return ids;
    assert.ok('handle' in item, 'what is left is a job');
    ids.push(item.id);
    await session.connection.settler.ack(item);
  }
}

const silences: readonly ConformanceCase[] = (['request', 'answer'] as const).flatMap((part) => [
  silenceCase(
    `a push whose ${part} is lost rejects, and never as if nothing had been sent`,
    async (session) => {
      await session.silence(part);
      await assert.rejects(session.push('a'), (error) => {
        assert.ok(
          !(error instanceof InvalidQueueArgumentException) && error instanceof QueueServerException,
          'it is an error of the server and no refusal of the argument',
        );
        return true;
      });
      assert.ok((await rest(session)).length <= 1, 'it is there once or not at all');
      const id = await session.push('b');
      expectSame(await rest(session), [id], 'the next push is none of it');
    },
  ),
  ...(['release', 'defer'] as const).map((operation) =>
    silenceCase(
      `a ${operation} whose ${part} is lost is unknown, and the job comes again`,
      async (session) => {
        const id = await session.push('a');
        const job = await session.take();
        await session.silence(part);
        await isLeftOpen(session.connection.settler[operation](job));
        await session.expireLease();
        const ids = await rest(session);
        assert.ok(ids.length >= 1, 'it is not lost');
        expectSame(new Set(ids), new Set([id]), 'only that job comes again');
      },
    ),
  ),
  silenceCase(
    `a fail whose ${part} is lost is unknown, and the job is kept or comes again`,
    async (session) => {
      const id = await session.push('a');
      const job = await session.take();
      await session.silence(part);
      await isLeftOpen(session.connection.settler.fail(job, new Error('no')));
      await session.expireLease();
      const { backend } = session;
      const kept = keepsFailedJobs(backend) && (await backend.findFailed(id, session.queue)) !== null;
      const again = (await rest(session)).includes(id);
      assert.ok(kept || again || (part === 'answer' && !keepsFailedJobs(backend)), 'it is not lost');
    },
  ),
]);

const ackSilences: readonly ConformanceCase[] = (['request', 'answer'] as const).map((part) =>
  silenceCase(
    `an ack whose ${part} is lost is unknown, and leaves the other deliveries`,
    async (session) => {
      await session.push('a');
      const job = await session.take();
      await session.silence(part);
      await isLeftOpen(session.connection.settler.ack(job));
      await session.expireLease();
      assert.ok((await rest(session)).length <= 1, 'the acknowledged job is there once at most');
      await session.push('b');
      expectSame(textOf(await session.take()), 'b', 'the job that was pushed afterwards');
    },
    { facilities: ['silence', 'silenceAck'] },
  ),
);

const refusals: readonly ConformanceCase[] = [
  refusalCase(
    'pushMany() answers for each entry when one is refused',
    async (session) => {
      const entries = Array.from({ length: 25 }, (_, index) => ({
        job: new Note(String(index)),
        queue: session.queue,
      }));
      await session.refuse(3);
      const failure: unknown = await session.api.pushMany(entries).catch((error: unknown) => error);
      assert.ok(failure instanceof PushManyException, `expected a PushManyException, came ${failure}`);
      const refused = failure.outcomes.flatMap(({ status }, index) => (status === 'applied' ? [] : [index]));
      expectSame(refused, [3], 'places of the entries that were not stored');
      expectSame(at(failure.outcomes, 3).status, 'refused', 'the outcome of the refused entry');
      const expected = failure.ids.filter((_, index) => index !== 3);
      const stored = (await session.takeMany(24)).map(({ id }) => id);
      expectSame(new Set(stored), new Set(expected), 'each outcome is its own entry’s');
      await session.expectNothing('the refused one is not there');
    },
    { atomicPushMany: false },
  ),
  refusalCase(
    'a settlement that is refused is named, and the others of its batch are applied',
    async (session) => {
      await session.pushAll(Array.from({ length: 15 }, (_, index) => String(index)));
      const items = await session.items(15);
      await session.refuse(2);
      const acks = items.map(({ receipt }): Settlement => ({ operation: 'ack', receipt, followUps: [] }));
      const statuses = (await session.backend.settle(acks)).map(({ status }) => status);
      expectSame(
        statuses,
        items.map((_, index) => (index === 2 ? 'refused' : 'applied')),
        'outcomes in the order of the entries',
      );
      await session.expireLease();
      const again = await session.take();
      expectSame(JSON.stringify(again.body), String(at(items, 2).body), 'only the refused one comes again');
      await session.expectNothing('the others are gone');
    },
  ),
  refusalCase('a settlement that was refused can be sent again', async (session) => {
    await session.push('a');
    const job = await session.take();
    await session.refuse(0);
    await assert.rejects(session.connection.settler.ack(job), ServerRefused);
    await session.connection.settler.ack(job);
    await session.expireLease();
    await session.expectNothing('it is gone');
  }),
];

const lists: readonly ConformanceCase[] = [
  concern('queues')(
    'are not offered where the backend cannot name them',
    async (session) => {
      expectSame(
        canListQueues(session.backend),
        false,
        'a backend that does not claim listQueues lists queues',
      );
      await assert.rejects(() => session.connection.queues(), { code: 'QUEUE_NOT_ADMINISTRABLE' });
    },
    { listQueues: false },
  ),
];

export const troubleCases: readonly ConformanceCase[] = [
  ...lost,
  ...silences,
  ...ackSilences,
  ...refusals,
  ...lists,
];
