import { canBrowse, QueueConfigurationException } from '../../contract/index.js';
import { option } from '../../module/configuration/option.js';
import { WORKER_OPTIONS } from '../../module/configuration/worker-options.js';
import type { Queue } from '../../queue/index.js';
import { CommandRefusedException } from '../command-refused.exception.js';
import { command } from '../command.js';
import { type CommandRun, needed } from '../command-run.js';
import { queuesOption } from '../options.js';
import { quoted } from '../output/format.js';
import { Progress } from '../output/progress.js';
import { sampleOf, type QueueStats } from '../stats/queue-stats.js';
import { Destination } from './destination.js';
import { lossesBetween } from './movable-job.js';
import { moveDelayed } from './move-delayed.js';
import { moveReady } from './move-ready.js';
import { isSameStore } from './same-store.js';
import { MoveTally, tallyLines } from './move-tally.js';

/** How many jobs of a queue are looked for at the destination, delayed and ready ones: what a killed move leaves in both. */
const MOST_LOOKS = 100;

const { expected, schema } = WORKER_OPTIONS.connection;
const connection = { takes: 'name', expected, schema, otherwise: 'none; it has to be given' } as const;

export const moveCommand = command({
  name: 'move',
  summary: 'Moves jobs from one connection to another.',
  remarks: [
    'Ready jobs, and delayed ones where the source can browse. Id, attempts, time of the push, metadata and arguments stay',
    'as they are, as far as the destination keeps them. Each job is stored there before it is settled here: ended at any',
    'point, the command loses none. Started again it goes on.',
  ],
  options: {
    from: option({ ...connection, flag: 'from', summary: 'The connection that has the jobs.' }),
    to: option({ ...connection, flag: 'to', summary: 'The connection that is to have them.' }),
    queues: queuesOption('every queue of the source'),
  },
  async run({ from, to, queues }, run) {
    const source = needed(from, 'from', 'the connection that has the jobs');
    const target = needed(to, 'to', 'the connection that is to have them');
    if (source === target) {
      throw new QueueConfigurationException(
        `--to: expected another connection than --from, came "${target}".`,
      );
    }
    const move = { from: await run.connections.open(source), to: await run.connections.open(target) };
    const before = await prepare(move, queues, run);
    const tallies: MoveTally[] = [];
    try {
      for (const counts of before) {
        if (run.stop.aborted) break;
        const tally = new MoveTally(counts.queue);
        tallies.push(tally);
        await moveQueue(move, tally, counts, run);
      }
    } finally {
      if (run.json) run.terminal.printJson({ ...namesOf(move), queues: tallies });
      else for (const tally of tallies) run.terminal.print(tallyLines(tally).join('\n'));
    }
    if (run.stop.aborted) run.terminal.note('move: ended before it was through; start it again to go on');
    return run.stop.aborted || tallies.some(({ stays }) => stays > 0) ? 1 : 0;
  },
});

interface Move {
  readonly from: Queue;
  readonly to: Queue;
}

const namesOf = ({ from, to }: Move): object => ({ from: from.name, to: to.name });

/** Looks at both stores before anything is touched; answers the counts of the queues. */
async function prepare(
  { from, to }: Move,
  queues: readonly string[] | undefined,
  run: CommandRun,
): Promise<readonly QueueStats[]> {
  const [source, destination] = [from.connection.backend, to.connection.backend];
  await source.connect();
  await destination.connect();
  if (await isSameStore(source, destination)) {
    throw new CommandRefusedException(
      `move: expected two stores, came one: "${from.name}" and "${to.name}" keep their jobs in the same place. Nothing was ` +
        'changed.',
    );
  }
  const { queues: counts } = await sampleOf(from, await run.queuesOf(from, queues));
  const paused = counts.filter((row) => row.paused).map(({ queue }) => queue);
  if (paused.length > 0) {
    throw new CommandRefusedException(
      `move: expected queues that are not paused, came ${quoted(paused)}, whose jobs nobody can take. Resume them, or name ` +
        'the others with --queue. Nothing was changed.',
    );
  }
  for (const loss of lossesBetween(source.capabilities, destination.capabilities)) {
    run.terminal.note(`"${destination.driver}" ${loss}`);
  }
  if (!canBrowse(source)) {
    run.terminal.note(`"${source.driver}" cannot show its delayed jobs: they stay until they are due`);
  }
  return counts;
}

async function moveQueue(
  { from, to }: Move,
  tally: MoveTally,
  counts: QueueStats,
  run: CommandRun,
): Promise<void> {
  const { backend } = from.connection;
  const total = counts.ready + (canBrowse(backend) ? (counts.delayed ?? 0) : 0);
  const progress = new Progress(run.terminal, tally.queue, total);
  const step = () => ({
    tally,
    to: new Destination(to.connection.backend, MOST_LOOKS),
    stop: run.stop,
    onStep: () => progress.at(tally.done),
  });
  try {
    // These first: what falls due meanwhile is then among the ready ones.
    if (canBrowse(backend)) await moveDelayed(backend, step());
    const most = backend.capabilities.exactCounts ? (await from.counts(tally.queue)).ready : Infinity;
    await moveReady(backend, { ...step(), most });
  } finally {
    progress.end();
  }
  const after = await from.counts(tally.queue);
  tally.held = after.reserved ?? 0;
  tally.left = after.ready + (canBrowse(backend) ? (after.delayed ?? 0) : 0);
}
