import { expect, test } from 'vitest';
import { sync } from '../../lib/backends/sync/index.js';
import {
  type BackendContext,
  JobReconstructionException,
  type QueueBackend,
} from '../../lib/contract/index.js';
import {
  type DeliveryScopes,
  Job,
  type JobDelivery,
  jobDefinition,
  JobRegistry,
} from '../../lib/jobs/index.js';
import { ConnectionDirectory, Queue, QueueConnection } from '../../lib/queue/index.js';
import { InlineRunner } from '../../lib/worker/index.js';

class Greeting {
  constructor(
    readonly name: string,
    readonly at: Date,
  ) {}

  handle(): void {}
}
Reflect.defineMetadata('design:paramtypes', [String, Date], Greeting);
Job({ args: ['name', 'at'] })(Greeting);

class InlineBench {
  readonly registry = new JobRegistry();
  readonly lines: object[] = [];
  readonly seen: { job: object; delivery: JobDelivery }[] = [];
  disposed = 0;
  handle: () => unknown = () => undefined;
  dispose: () => void = () => undefined;
  readonly queue: Queue;

  constructor() {
    this.registry.add(jobDefinition(Greeting));
    const runner = new InlineRunner({
      connection: 'default',
      registry: this.registry,
      scopes: this.#scopes(),
      telemetry: null,
      logger: {
        log: (line) => this.lines.push(line),
        warn: (line) => this.lines.push(line),
        error: (line) => this.lines.push(line),
      },
    });
    const context: BackendContext = {
      connection: 'default',
      resolve: () => {
        throw new Error('There is no application.');
      },
      runInline: (job) => runner.run(job),
      warn: () => undefined,
    };
    const reporter = { warn: () => undefined, error: () => undefined };
    const backend = sync()(context) as QueueBackend;
    this.queue = new Queue(
      new QueueConnection({ name: 'default', backend, reporter }),
      new ConnectionDirectory(),
    );
  }

  #scopes(): DeliveryScopes {
    return {
      open: (_definition, delivery) => ({
        handle: async (job) => {
          this.seen.push({ job, delivery });
          return this.handle();
        },
        resolve: () => Promise.reject(new Error('not expected')),
        dispose: async () => {
          this.disposed += 1;
          this.dispose();
        },
      }),
    };
  }
}

const at = new Date('2026-01-02T03:04:05.678Z');

test('a push runs a job that was rebuilt from its bytes, in a scope of its own', async () => {
  const bench = new InlineBench();
  const pushed = new Greeting('Ada', at);
  await bench.queue.push(pushed, { maxAttempts: 7 });
  expect(bench.seen).toHaveLength(1);
  expect(bench.seen[0]?.job).toEqual(pushed);
  expect(bench.seen[0]?.job).not.toBe(pushed);
  expect(bench.seen[0]?.delivery).toMatchObject({ attempts: 1, name: 'Greeting', connection: 'default' });
  expect(bench.disposed).toBe(1);
});

test("the job's own error is the push's, and the scope is disposed", async () => {
  const bench = new InlineBench();
  const own = new Error('no');
  bench.handle = () => Promise.reject(own);
  await expect(bench.queue.push(new Greeting('Ada', at))).rejects.toBe(own);
  expect(bench.disposed).toBe(1);
});

test("when the disposal fails too, the job's error wins and the other is logged", async () => {
  const bench = new InlineBench();
  const own = new Error('no');
  bench.handle = () => Promise.reject(own);
  bench.dispose = () => {
    throw new Error('disposal');
  };
  await expect(bench.queue.push(new Greeting('Ada', at))).rejects.toBe(own);
  expect(bench.lines).toMatchObject([
    { event: 'job.disposal-failed', error: 'Error: disposal', attempts: 1 },
  ]);
});

test('when only the disposal fails, that is what the push rejects with', async () => {
  const bench = new InlineBench();
  const failure = new Error('disposal');
  bench.dispose = () => {
    throw failure;
  };
  await expect(bench.queue.push(new Greeting('Ada', at))).rejects.toBe(failure);
  expect(bench.lines).toEqual([]);
});

class Unlisted {
  handle(): void {}
}
Job()(Unlisted);

test('a class that is not listed is refused as in a worker', async () => {
  const bench = new InlineBench();
  await expect(bench.queue.push(new Unlisted())).rejects.toThrow(JobReconstructionException);
});

test('a signal can be read and a lease extended without effect', async () => {
  const bench = new InlineBench();
  await bench.queue.push(new Greeting('Ada', at));
  const delivery = bench.seen[0]?.delivery;
  expect(delivery?.signal.aborted).toBe(false);
  await delivery?.extend({ seconds: 5 });
});

test('the steps of a chain run one after the other within the push, and a step that throws ends it', async () => {
  const bench = new InlineBench();
  await bench.queue.chain([new Greeting('Ada', at), new Greeting('Bo', at), new Greeting('Cy', at)]);
  expect(bench.seen.map(({ job }) => (job as Greeting).name)).toEqual(['Ada', 'Bo', 'Cy']);
  expect(bench.disposed).toBe(3);
  const own = new Error('no');
  bench.handle = () => (bench.seen.length === 5 ? Promise.reject(own) : undefined);
  const names = ['Di', 'Ed', 'Flo'].map((name) => new Greeting(name, at));
  await expect(bench.queue.chain(names)).rejects.toBe(own);
  expect(bench.seen.map(({ job }) => (job as Greeting).name)).toEqual(['Ada', 'Bo', 'Cy', 'Di', 'Ed']);
});
