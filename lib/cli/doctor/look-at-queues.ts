import { setTimeout as pause } from 'node:timers/promises';
import { canListQueues, type Finding } from '../../contract/index.js';
import type { Queue } from '../../queue/index.js';
import type { CommandRun } from '../command-run.js';
import { formatAge, jobs } from '../output/format.js';
import { type QueueStats, sampleOf } from '../stats/queue-stats.js';
import { refusalOf } from './refusal-of.js';

export interface LookOptions {
  readonly waitedSeconds: number;
  readonly observeSeconds: number;
}

/** Queues that hold jobs which nobody takes; a look that is refused, as to a user with few rights, is a finding too. */
export async function lookAtQueues(
  queue: Queue,
  named: readonly string[] | undefined,
  run: CommandRun,
  options: LookOptions,
): Promise<readonly Finding[]> {
  try {
    return await look(queue, named, run, options);
  } catch (error) {
    return [refusalOf('queues', error)];
  }
}

async function look(
  queue: Queue,
  named: readonly string[] | undefined,
  run: CommandRun,
  { waitedSeconds, observeSeconds }: LookOptions,
): Promise<readonly Finding[]> {
  const { backend } = queue.connection;
  if (named === undefined && !canListQueues(backend)) return [cannotList(backend.driver)];
  const names = named ?? (await run.queuesOf(queue, named));
  const before = await sampleOf(queue, names);
  const waits = (row: QueueStats): boolean =>
    !row.paused && (row.oldestReadySeconds ?? Infinity) >= waitedSeconds;
  const late = before.queues.filter((row) => row.ready > 0 && waits(row));
  const after = late.length === 0 ? [] : await later(queue, late, observeSeconds);
  const findings = [
    ...before.queues.filter(({ paused }) => paused).map(pausedFinding),
    ...late.flatMap((row, index) => lateFinding(row, after[index] ?? row)),
  ];
  if (findings.length > 0) return findings;
  const message =
    names.length === 0 ? 'none holds jobs' : `none holds jobs that nobody takes (${names.length} seen)`;
  return [{ topic: 'queues', level: 'ok', message, mend: null }];
}

async function later(
  queue: Queue,
  rows: readonly QueueStats[],
  observeSeconds: number,
): Promise<readonly QueueStats[]> {
  await pause(observeSeconds * 1_000);
  return (
    await sampleOf(
      queue,
      rows.map((row) => row.queue),
    )
  ).queues;
}

function cannotList(driver: string): Finding {
  return {
    topic: 'queues',
    level: 'warning',
    message: `"${driver}" cannot list its queues, so that none was looked at`,
    mend: 'name them, --queue=mail,default',
  };
}

function pausedFinding({ queue, ready, delayed }: QueueStats): Finding {
  const waiting = ready + (delayed ?? 0);
  return {
    topic: `queue ${queue}`,
    level: waiting === 0 ? 'ok' : 'warning',
    message: `it is paused, and holds ${jobs(waiting)}`,
    mend: `npx kinetis-queue resume --queue=${queue}, if nobody needs it paused`,
  };
}

/** Nobody can be asked who reads: what shows is whether anything is taken. */
function lateFinding(before: QueueStats, after: QueueStats): readonly Finding[] {
  const { queue, ready, oldestReadySeconds } = before;
  const age = oldestReadySeconds === null ? '' : `, the oldest for ${formatAge(oldestReadySeconds)}`;
  const waits = `${jobs(ready)} waited${age}`;
  const isTaken =
    (before.reserved ?? 0) > 0 ||
    (after.reserved ?? 0) > 0 ||
    after.ready < ready ||
    isYounger(before, after);
  if (isTaken) {
    // Where nobody knows for how long, a queue that moves is as it should be.
    if (oldestReadySeconds === null) return [];
    return [
      {
        topic: `queue ${queue}`,
        level: 'warning',
        message: `${waits}; workers take jobs, and are behind`,
        mend: `more workers, or a higher --concurrency, for --queue=${queue}`,
      },
    ];
  }
  return [
    {
      topic: `queue ${queue}`,
      level: 'problem',
      message: `${waits}, and nobody takes one`,
      mend: `start a worker that watches it: node dist/worker --queue=${queue}`,
    },
  ];
}

function isYounger(before: QueueStats, after: QueueStats): boolean {
  return (after.oldestReadySeconds ?? 0) < (before.oldestReadySeconds ?? 0);
}
