import type { NewJob, StoreOutcome } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { rawItem } from './raw-items.js';
import type { Session } from './session.js';

const allOrNoneCase = concern('push', { atomicPushMany: [true, 'same-queue'] });

/** More than a store sends in one statement or message, so that the last entry does not come with the first. */
const GOOD_ENTRIES = 250;

/** Headers that no push makes: a store may refuse them or take them, for itself and all entries beside it. */
const strangeHeaders: readonly (readonly [what: string, header: { readonly [field: string]: unknown }])[] = [
  ['attempts that are null', { attempts: null }],
  ['a priority that is missing', { priority: undefined }],
  ['a text as version', { v: 'one' }],
];

type StrangeHeader = { readonly [field: string]: unknown };

function entryOf(queue: string, header: StrangeHeader = {}): NewJob {
  const raw = rawItem(header);
  const { id } = JSON.parse(String(raw.body)) as { readonly id: string };
  return { id, queue, header: raw.header, body: raw.body, delaySeconds: 0 } as never;
}

function goodEntries(queue: string, count = GOOD_ENTRIES): NewJob[] {
  return Array.from({ length: count }, () => entryOf(queue));
}

/** A store that takes such an entry for a defect may throw, and has stored nothing then. */
function refusedAll(entries: readonly NewJob[]): StoreOutcome[] {
  return entries.map(() => ({ status: 'refused', error: new Error() }));
}

/**
 * Needs no help of the harness: the entry is one that a store has reason to refuse. Where it takes it all the same,
 * all entries have to be there.
 */
async function storesAllOrNone(session: Session, strange: StrangeHeader): Promise<void> {
  const { queue } = session;
  const entries = [...goodEntries(queue), entryOf(queue, strange)];
  const outcomes = await session.backend.store(entries).catch(() => refusedAll(entries));
  const statuses = [...new Set(outcomes.map(({ status }) => status))];
  expectSame(statuses.length, 1, `one answer for all entries of a store, of ${statuses.join(' and ')}`);
  if (statuses[0] === 'applied') await session.gather(GOOD_ENTRIES + 1);
  await session.expectNothing(
    'of a store that was refused nothing is there, and of one that was taken all was',
  );
}

/** Two queues in one store, the strange entry on the second: the answers for each queue tell what is there. */
async function storesByQueue(session: Session, strange: StrangeHeader): Promise<void> {
  const queues = [session.queue, session.anotherQueue()] as const;
  const mixed = goodEntries(queues[0], 5).flatMap((entry) => [entry, entryOf(queues[1])]);
  const entries = [...mixed, entryOf(queues[1], strange)];
  const outcomes = await session.backend.store(entries).catch(() => refusedAll(entries));
  const seen = queues.map((queue) => {
    const statuses = new Set(
      outcomes.filter((_, place) => entries[place]?.queue === queue).map(({ status }) => status),
    );
    expectSame(
      statuses.size,
      1,
      `one answer for the entries of one queue, of ${[...statuses].join(' and ')}`,
    );
    return [...statuses][0];
  });
  if (session.backend.capabilities.atomicPushMany === true) {
    expectSame(seen[0], seen[1], 'one answer for the entries of both queues');
  }
  for (const [index, queue] of queues.entries()) {
    const { length } = entries.filter((entry) => entry.queue === queue);
    if (seen[index] === 'applied') await session.gather(length, [queue]);
    await session.expectNothing('a queue holds what its answer says', queue);
  }
}

export const allOrNoneCases: readonly ConformanceCase[] = strangeHeaders.flatMap(([what, header]) => [
  allOrNoneCase(`a store of many with one of ${what} stores all or none`, (session) =>
    storesAllOrNone(session, header),
  ),
  allOrNoneCase(
    `a store over two queues with one of ${what} answers for each queue what is there`,
    (session) => storesByQueue(session, header),
  ),
]);
