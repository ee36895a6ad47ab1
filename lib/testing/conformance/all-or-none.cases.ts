import type { NewJob, StoreOutcome } from '../../contract/index.js';
import { concern, type ConformanceCase } from './conformance-case.js';
import { expectSame } from './expect-same.js';
import { rawItem } from './raw-items.js';
import type { Session } from './session.js';

const allOrNoneCase = concern('push', { atomicPushMany: true });

/** More than a store sends in one statement or message, so that the last entry does not come with the first. */
const GOOD_ENTRIES = 250;

/** Headers that no push makes: a store may refuse them or take them, for itself and all entries beside it. */
const strangeHeaders: readonly (readonly [what: string, header: { readonly [field: string]: unknown }])[] = [
  ['attempts that are null', { attempts: null }],
  ['a priority that is missing', { priority: undefined }],
  ['a text as version', { v: 'one' }],
];

function entryOf(session: Session, header: { readonly [field: string]: unknown } = {}): NewJob {
  const raw = rawItem(header);
  const { id } = JSON.parse(String(raw.body)) as { readonly id: string };
  return { id, queue: session.queue, header: raw.header, body: raw.body, delaySeconds: 0 } as never;
}

/** The statuses that were answered, each once; a store that takes such an entry for a defect may throw. */
async function statusesOf(store: Promise<readonly StoreOutcome[]>): Promise<string[]> {
  const outcomes = await store.catch((): StoreOutcome[] => [{ status: 'refused', error: new Error() }]);
  return [...new Set(outcomes.map(({ status }) => status))];
}

/**
 * Needs no help of the harness: the entry is one that a store has reason to refuse. Where it takes it all the same,
 * all entries have to be there.
 */
async function storesAllOrNone(session: Session, strange: NewJob): Promise<void> {
  const good = Array.from({ length: GOOD_ENTRIES }, () => entryOf(session));
  const statuses = await statusesOf(session.backend.store([...good, strange]));
  expectSame(statuses.length, 1, `one answer for all entries of a store, of ${statuses.join(' and ')}`);
  if (statuses[0] === 'applied') await session.gather(GOOD_ENTRIES + 1);
  await session.expectNothing(
    'of a store that was refused nothing is there, and of one that was taken all was',
  );
}

export const allOrNoneCases: readonly ConformanceCase[] = strangeHeaders.map(([what, header]) =>
  allOrNoneCase(`a store of many with one of ${what} stores all or none`, (session) =>
    storesAllOrNone(session, entryOf(session, header)),
  ),
);
