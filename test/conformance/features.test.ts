import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { conformanceCases } from '../../lib/testing.js';

/**
 * What drivers of other queues offer and test, and where it is held here: by cases of the conformance suite, named by
 * their titles, which every backend with the capability has to pass, and by tests, named by file and title. `…` in a
 * title of a test stands for what a table or a template puts in.
 */
type HeldBy = readonly [string, ...string[]];

const features: { readonly [behaviour: string]: HeldBy } = {
  'connections by name, each with a backend of its own': [
    'test/module/registration.test.ts: Queue by class and the connection "default" are one provider; other names have their own',
    'test/module/environment.test.ts: each connection reads its own variables, and shares lease and prefix',
    'test/queue/push.test.ts: is routed there by the queue default',
    'test/queue/push.test.ts: is refused with the known names where there is no such connection',
    'test/worker/watched-queues.test.ts: a job belongs to the connection it names, and without one to the default',
  ],
  'a driver of one’s own is held to the same contract': [
    'backend: has the methods that its capabilities promise',
    'backend: says the same of itself as its harness does',
  ],
  'a claim is atomic': [
    'concurrency: two consumers that reserve 1 at a time never share a delivery',
    'concurrency: reserves at the same time never share a delivery',
    'test/e2e/worker-processes.test.ts: run 600 jobs of one file exactly once each, six of them side by side',
  ],
  'priority, higher first, then the oldest': [
    'priority: higher priorities come first',
    'priority: within one priority the oldest comes first',
    'priority: a released job keeps its priority',
    'priority: a reclaimed job keeps its priority',
  ],
  'priorities reach from -100 to 100, others are refused': [
    'push: a priority of 101 is refused and nothing is stored',
    'push: a priority of -101 is refused and nothing is stored',
  ],
  'a worker drains its queues in list order': [
    'order: the order of the list goes before the order of pushes',
    'order: the order of the list goes before priority',
    'test/worker/concurrency.test.ts: queues are served in the order of the list',
  ],
  'a duplicate of a waiting or running job is refused with null': [
    'unique: a duplicate of a waiting job is refused with null',
    'unique: a duplicate of a delayed job is refused with null',
    'unique: a reserve keeps the key held',
    'test/queue/push.test.ts: answers null for a duplicate, and keeps only the digest of its key',
  ],
  'the backend itself enforces unique keys, over all processes': [
    'unique: of pushes at the same time one is stored',
    'unique: keys of two queues are apart, and so are different keys',
  ],
  'a unique key is held through a release, a deferral and a lost lease': [
    'unique: a release keeps the key held',
    'unique: a release with a delay keeps the key held',
    'unique: a deferral keeps the key held',
    'unique: the end of a lease keeps the key held',
  ],
  'a unique key is freed with its job': [
    'unique: an ack frees the key',
    'unique: a fail frees the key',
    'unique: a clear frees keys',
    'malformed: a bad item frees its unique key',
    'browse: a removal frees the unique key',
  ],
  'backoff as a number or a list by attempt, whose last value repeats': [
    'test/worker/delay-after.test.ts: the backoff %j gives after attempt %i a delay of %d s',
    'test/worker/delay-after.test.ts: a delay beyond what the backend keeps is cut to it, with a warning; an endless one to a finite one',
  ],
  'a job is invisible until its lease ends, then another worker takes it with its attempts kept': [
    'leases: a reserved job is nobody else’s until its lease ends',
    'attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals',
    'concurrency: a lost lease is reclaimed once, whoever looks at the same time',
    'test/e2e/worker-processes.test.ts: give a job of a killed worker to another one, as its second attempt',
  ],
  'a job whose attempts were used up by crashes fails with MaxAttemptsExceededException and does not run': [
    'test/worker/crash-allowance.test.ts: a job whose leases ran out in worker after worker is given up on',
    'test/e2e/killed-workers.test.ts: ends in the failed store after the crash allowance, with its cause',
  ],
  'ack, release, extend and fail hold for the current delivery only': [
    'stale: ack after a reclaim is stale and changes nothing',
    'stale: release after a reclaim is stale and changes nothing',
    'stale: extend after an ack is stale and changes nothing',
    'stale: fail after a reclaim is stale and changes nothing',
    'stale: a worker that comes back after its lease cannot undo what another did',
    'test/e2e/retry-while-stalled.test.ts: is not touched by the late ack while another worker runs it again',
  ],
  'a lease is renewed while its job runs': [
    'leases: an extension lengthens a lease, counted from now',
    'test/worker/lease-renewal.test.ts: a lease is renewed at each third of its length while the job runs, to its full length',
    'test/e2e/lease-renewal.test.ts: is not stolen by a rival while its worker renews the lease',
    'test/e2e/lease-renewal.test.ts: is stolen when renewal is off',
  ],
  'many jobs in one push': [
    'push: pushMany() answers ids in order and stores in that order',
    'push: pushMany() with one bad entry stores none',
    'push: pushMany() stores a thousand in one step',
    'unique: pushMany() answers null for duplicates only',
  ],
  'counts of ready, delayed and reserved jobs': [
    'counts: ready jobs are counted',
    'counts: delayed jobs are counted apart, and by size() too',
    'counts: reserved jobs are counted apart, and not by size()',
    'counts: a reservation that expired counts as ready, before anyone reclaimed it',
    'test/health/queue-health.test.ts: a queue is up at its limit of waiting jobs and down above it, with the numbers',
  ],
  'failed jobs are kept, listed, found, retried, forgotten and flushed': [
    'failed: a failed job is kept as it was, with what went wrong and when',
    'failed: failed jobs are listed newest first, each queue its own',
    'failed: a retry starts over with the same job',
    'failed: a retry of all brings back one queue’s jobs',
    'failed: a failed job that is forgotten is gone',
    'failed: a flush empties one queue’s failed jobs and counts them',
  ],
  chains: [
    'chain: each job is there when the one before it was acknowledged, and not before',
    'chain: a step that fails for good ends its chain',
    'chain: a chain goes on when its failed step is retried',
  ],
  'a job that finished but could not be acked is not failed, and its chain goes on only once': [
    'chain: an ack that is stale stores no next step',
    'test/worker/chains.test.ts: after an ack that is … nothing follows',
    'test/e2e/killed-workers.test.ts: loses no step and runs none again after its ack, … kills long',
  ],
  'a single step of a worker can be called': [
    'test/worker/one-transition.test.ts: processNext answers false when there is nothing, and handles one job where there are two',
  ],
  'an error of the backend is told, never taken for an empty queue': [
    'test/worker/lost-server.test.ts: an error of the backend propagates out of processNext',
    'test/worker/lost-server.test.ts: a server that is lost while the worker looks for work is waited for, and the worker goes on',
  ],
  'a body that is no job is told and kept': [
    'malformed: body: no JSON is taken out of the queue',
    'failed: body: no JSON: its bytes are kept as they were',
    'test/worker/malformed.test.ts: a malformed item is a warning and an event, and counts as one processed item',
  ],
  'bytes that are no text and NULs are stored as they are': [
    'fidelity: a NUL comes back equal',
    'failed: body: not UTF-8: its bytes are kept as they were',
    'test/sql/delivery.test.ts: hands out bytes that are no text as bytes',
  ],
  'no text of an error keeps a failure from being recorded': [
    'settlement: no text of an error keeps a failure from being recorded',
  ],
};

const testing: { readonly [behaviour: string]: HeldBy } = {
  'one suite runs unchanged on every backend': [
    'test/conformance/suite.test.ts: every case runs on memory, on SQLite or on a crippled store, but for what none of them can hold',
  ],
  'six processes race over 600 jobs': [
    'test/e2e/worker-processes.test.ts: run 600 jobs of one file exactly once each, six of them side by side',
  ],
  'a worker is killed with SIGKILL': [
    'test/e2e/worker-processes.test.ts: give a job of a killed worker to another one, as its second attempt',
    'test/e2e/killed-workers.test.ts: loses no step and runs none again after its ack, … kills long',
  ],
  'a rival tries to steal a slow job, with renewal on and off': [
    'test/e2e/lease-renewal.test.ts: is not stolen by a rival while its worker renews the lease',
    'test/e2e/lease-renewal.test.ts: is stolen when renewal is off',
  ],
  'the race fails when its guard is taken out': [
    'test/e2e/worker-processes.test.ts: fail this race when the token check is taken out',
  ],
  'a backend that is down fails the run where it is required': [
    'test/house/test-command.test.ts: skips are named, and fail the run where everything is required',
  ],
};

const deferral: { readonly [behaviour: string]: HeldBy } = {
  'a deferral spends no attempt and is counted apart': [
    'attempts: a deferral adds 0 to attempts and 1 to deferrals',
    'test/worker/one-transition.test.ts: DeferJobException brings the job back after its seconds without spending an attempt',
  ],
  'its delay is a floor': [
    'delays: a deferred job waits for its delay',
    'test/e2e/deferral-http.test.ts: comes back after that time, before a backlog of any priority, for one round, and spends no attempt',
  ],
  'it overtakes the backlog when it comes back': [
    'settlement: a deferred job comes before everything else on its queue',
    'settlement: after a delay a deferred job comes before everything else too',
  ],
  'its precedence lasts for one round': [
    'settlement: a deferral’s precedence lasts for one round',
    'settlement: a deferral’s precedence does not outlast a lost lease',
  ],
  'a retry has no such precedence; it keeps its own priority': [
    'priority: a released job keeps its priority',
    'failed: a retry keeps the priority',
  ],
  'a short wait is never stuck behind a long one': [
    'delays: delays end independently of the order of pushes',
    'order: a delayed job at the front holds nothing back',
  ],
  'waits of a push, a retry and a deferral are the same wait': [
    'delays: a delayed job comes when its delay is over, and not before',
    'delays: a released job waits for its delay',
    'delays: a deferred job waits for its delay',
  ],
  'fractions of a second are rounded up': [
    'delays: a delay of 2.9 s is a floor',
    'delays: the smallest fraction of a second is a delay too',
  ],
  'a wait beyond what the backend holds is refused, not cut': [
    'delays: a delay above the backend’s longest is refused and nothing is stored',
  ],
  'attempts and deferrals travel with the job': [
    'attempts: releases, lost leases, deferrals and give-backs add up',
  ],
};

const caseTitles = new Set(conformanceCases.map(({ title }) => title));

/** A title as it may be written in a source, `…` being what is put in. */
function literalOf(title: string): RegExp {
  const pieces = title.split('…').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(['"\`])${pieces.join('(?:\\$\\{[^}]+\\}|%\\w)')}\\1`);
}

function isHeldBy(name: string): boolean {
  const [, file, title] = /^(test\/\S+\.test\.ts): (.+)$/.exec(name) ?? [];
  if (file === undefined || title === undefined) return caseTitles.has(name);
  return literalOf(title).test(readFileSync(file, 'utf8'));
}

test.each([...Object.entries(features), ...Object.entries(testing), ...Object.entries(deferral)])(
  '%s',
  (_behaviour, heldBy) => {
    expect(heldBy.filter((name) => !isHeldBy(name))).toEqual([]);
  },
);

test('a case or a test that is not there would be noticed', () => {
  expect(isHeldBy('unique: an ack frees')).toBe(false);
  expect(isHeldBy('test/worker/chains.test.ts: after an ack')).toBe(false);
});
