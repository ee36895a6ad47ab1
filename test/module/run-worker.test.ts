import {
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type BackendFactory,
  ConnectionFailed,
  KinetisQueueModule,
  memory,
  provideJobs,
  Queue,
  runWorker,
  SchemaOutdatedException,
  sync,
} from '../../lib/index.js';
import { WorkerDrain } from '../../lib/module/worker/worker-drain.js';
import { Gate, Journal, Mail, Note, Slow } from './support/jobs.js';
import { LogLines, start } from './support/run.js';

@Injectable()
class Database implements OnModuleDestroy {
  open = true;

  constructor(@Inject(Journal) readonly journal: Journal) {}

  onModuleDestroy(): void {
    this.open = false;
    this.journal.write('database closed');
  }
}

function application(backend: BackendFactory = memory()) {
  @Module({
    imports: [KinetisQueueModule.forRoot({ connections: { default: backend } })],
    providers: [Journal, Gate, Database, ...provideJobs(Note, Slow, Mail)],
  })
  class AppModule {}
  return AppModule;
}

function failing(method: 'connect' | 'reserve', error: Error): BackendFactory {
  return async (context) => {
    const backend = await memory()(context);
    return Object.assign(backend, { [method]: () => Promise.reject(error) });
  };
}

const text = vi.fn<(chunk: unknown) => boolean>(() => true);
function captureOutput(): void {
  vi.spyOn(process.stdout, 'write').mockImplementation(text);
  vi.spyOn(process.stderr, 'write').mockImplementation(text);
}

afterEach(() => {
  vi.restoreAllMocks();
  text.mockClear();
});

describe('runWorker', () => {
  test('runs what was pushed, closes the application and exits with 0', async () => {
    const run = start(application(), ['--max-jobs=2'], async (app) => {
      await app.get(Queue).pushMany([new Note('note'), new Mail('mail')]);
    });
    const { lines } = (await run.app).get(Journal, { strict: false });
    expect(await run.ended).toBe(0);
    expect(run.exits).toEqual([0]);
    expect(lines).toEqual(['mail', 'note', 'database closed']);
  });

  test('watches every listed queue alphabetically, default last, and says so', async () => {
    const run = start(application(), ['--once', '--poll-timeout=0.01']);
    expect(await run.ended).toBe(0);
    expect(run.log.event('worker.started')).toMatchObject([{ queues: ['mail', 'slow', 'default'] }]);
    expect(run.log.event('worker.unwatched-queues')).toEqual([]);
  });

  test('watches the queues of --queue in their order, and warns of the listed ones that it leaves', async () => {
    const run = start(application(), ['--queue=default,mail', '--once', '--poll-timeout=0.01']);
    expect(await run.ended).toBe(0);
    expect(run.log.event('worker.started')).toMatchObject([{ queues: ['default', 'mail'] }]);
    expect(run.log.event('worker.unwatched-queues')).toMatchObject([{ queues: ['slow'] }]);
  });

  test('flags win over the environment', async () => {
    const env = { QUEUE_CONCURRENCY: '3', QUEUE_POLL_TIMEOUT: '0.01' };
    const argv = ['--once', '--concurrency=4', '--worker-name=four'];
    const run = start(application(), argv, undefined, env);
    expect(await run.ended).toBe(0);
    expect(run.log.event('worker.started')).toMatchObject([{ concurrency: 4, worker: 'four' }]);
  });

  test('the first line names the variables in use, and no value', async () => {
    const run = start(application(), ['--once', '--poll-timeout=0.01'], undefined, {
      QUEUE_CONCURRENCY: '87',
    });
    await run.ended;
    expect(run.log.lines[0]).toEqual({
      level: 'log',
      message: {
        event: 'worker.environment',
        connection: 'default',
        worker: expect.stringContaining(String(process.pid)),
        variables: ['QUEUE_CONCURRENCY'],
      },
    });
  });

  test('every line of a worker process says which worker and connection it is about', async () => {
    const run = start(application(), ['--health-port=0', '--worker-name=night']);
    await run.app;
    await vi.waitFor(() => expect(run.log.event('worker.started')).toHaveLength(1));
    process.emit('SIGTERM');
    await run.ended;
    const lines = run.log.lines.flatMap(({ message }) =>
      typeof message === 'object' && message !== null && 'event' in message ? [message] : [],
    );
    const events = ['worker.environment', 'worker.health', 'worker.stopping', 'worker.stopped'];
    expect(lines.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
    for (const line of lines) expect(line).toMatchObject({ worker: 'night', connection: 'default' });
  });

  test('buffered lines are written to the logger that configure gives, the first one included', async () => {
    const [early, late] = [new LogLines(), new LogLines()];
    const code = await runWorker(application(), {
      argv: ['--once', '--poll-timeout=0.01'],
      env: {},
      logger: early,
      bufferLogs: true,
      configure: (app) => app.useLogger(late),
      exit: () => undefined,
    });
    expect(code).toBe(0);
    expect(early.lines).toEqual([]);
    expect(late.lines[0]?.message).toMatchObject({ event: 'worker.environment', variables: [] });
  });

  test('buffered lines are written where configure gives no logger', async () => {
    const log = new LogLines();
    const options = { argv: ['--once', '--poll-timeout=0.01'], env: {}, logger: log, exit: () => undefined };
    await runWorker(application(), { ...options, bufferLogs: true });
    expect(log.event('worker.environment')).toHaveLength(1);
    expect(log.event('worker.started')).toHaveLength(1);
  });

  test('the health port answers while the worker runs, and is free again afterwards', async () => {
    const run = start(application(), ['--health-port=0']);
    await run.app;
    await vi.waitFor(() => expect(run.log.event('worker.health')).toHaveLength(1));
    const [{ port } = {}] = run.log.event('worker.health');
    await vi.waitFor(async () => {
      const answers = ['live', 'ready'].map((path) => fetch(`http://127.0.0.1:${String(port)}/${path}`));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    });
    process.emit('SIGTERM');
    expect(await run.ended).toBe(0);
    await expect(fetch(`http://127.0.0.1:${String(port)}/live`)).rejects.toThrow();
  });
});

describe('exit codes', () => {
  test.each([
    ['--help', ['--help'], 0, /--concurrency=<number>/],
    ['an unknown flag', ['--concurency=1'], 64, /Did you mean --concurrency\?/],
    ['a bad value', ['--queue=a b'], 64, /--queue: expected/],
  ])('%s is answered before anything else is printed', async (_, argv, code, printed) => {
    captureOutput();
    const run = start(application(), argv);
    expect(await run.ended).toBe(code);
    expect(run.log.lines).toEqual([]);
    expect(text.mock.calls).toHaveLength(1);
    expect(String(text.mock.calls[0]?.[0])).toMatch(printed);
  });

  test('a bad environment is a usage error, before anything else is printed', async () => {
    captureOutput();
    const run = start(application(), [], undefined, { QUEUE_POLL_TIMEOUT: '0' });
    expect(await run.ended).toBe(64);
    expect(run.log.lines).toEqual([]);
    expect(String(text.mock.calls[0]?.[0])).toMatch(
      /QUEUE_POLL_TIMEOUT: expected a number of seconds above 0/,
    );
  });

  @Module({})
  class WithoutQueue {}

  @Module({ imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })] })
  class WithoutJobs {}

  @Module({
    providers: [{ provide: 'x', useFactory: () => Promise.reject(new Error('the application failed')) }],
  })
  class Failing {}

  const unreachable = new ConnectionFailed('no server');

  test.each([
    ['an unknown connection', application(), ['--connection=ledger'], 64, /came \\"ledger\\"/],
    ['no module', WithoutQueue, [], 64, /expected a module that imports KinetisQueueModule/],
    ['no listed job', WithoutJobs, [], 64, /has nothing to watch/],
    ['a connection without deliveries', application(sync()), [], 64, /runs a job inside its push/],
    ['an application that does not boot', Failing, [], 1, /the application failed/],
    [
      'an older schema',
      application(failing('connect', new SchemaOutdatedException('migrate'))),
      [],
      64,
      /migrate/,
    ],
    [
      'a server that is not reached',
      application(failing('connect', unreachable)),
      ['--max-connection-failures=1'],
      69,
      /no server/,
    ],
    ['a defect', application(failing('reserve', new Error('a defect'))), [], 70, /a defect/],
  ])('%s', async (_, module, argv, code, logged) => {
    const run = start(module, argv);
    expect(await run.ended).toBe(code);
    expect(run.exits).toEqual([code]);
    const lines = run.log.lines.filter(({ level }) => level === 'error');
    expect(JSON.stringify(lines)).toMatch(logged);
  });
});

describe('signals', () => {
  const listeners = () => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets the running job finish with its database open, then closes and exits with 0',
    async (signal) => {
      const before = listeners();
      const run = start(application(), []);
      const app = await run.app;
      const [journal, gate, queue] = [
        app.get(Journal, { strict: false }),
        app.get(Gate, { strict: false }),
        app.get(Queue),
      ];
      await queue.push(new Slow('slow'));
      await journal.has(1);
      process.emit(signal);
      await queue.push(new Mail('pushed while draining'));
      gate.open();
      expect(await run.ended).toBe(0);
      expect(journal.lines).toEqual(['slow began', 'slow ended', 'database closed']);
      expect(listeners()).toBe(before);
    },
  );

  test('a second signal aborts the job, gives it back and exits with 1', async () => {
    const run = start(application(), []);
    const app = await run.app;
    const [journal, queue] = [app.get(Journal, { strict: false }), app.get(Queue)];
    await queue.push(new Slow('slow'));
    await journal.has(1);
    process.emit('SIGTERM');
    process.emit('SIGTERM');
    expect(await run.ended).toBe(1);
    expect(journal.lines).toEqual(['slow began', 'slow aborted', 'database closed']);
  });

  test('a second signal ends the worker with 1 also when closing the application hangs', async () => {
    @Injectable()
    class Hanging implements OnModuleDestroy {
      onModuleDestroy(): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    @Module({ imports: [application()], providers: [Hanging] })
    class AppModule {}
    const run = start(AppModule, []);
    await run.app;
    await vi.waitFor(() => expect(run.log.event('worker.started')).toHaveLength(1));
    process.emit('SIGTERM');
    await vi.waitFor(() => expect(run.log.event('worker.stopped')).toHaveLength(1));
    process.emit('SIGTERM');
    expect(await run.ended).toBe(1);
  });

  test('a signal during the boot stops the worker before it begins a job', async () => {
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const run = start(application(), [], async (app) => {
      await app.get(Queue).push(new Note('not run'));
      await waiting;
    });
    await vi.waitFor(() => expect(run.log.lines.length).toBeGreaterThan(1));
    process.emit('SIGTERM');
    goOn();
    expect(await run.ended).toBe(0);
    expect((await run.app).get(Journal, { strict: false }).lines).toEqual(['database closed']);
  });

  test('closing the application from elsewhere drains the worker first', async () => {
    const run = start(application(), []);
    const app = await run.app;
    const [journal, gate] = [app.get(Journal, { strict: false }), app.get(Gate, { strict: false })];
    await app.get(Queue).push(new Slow('slow'));
    await journal.has(1);
    const closing = app.close();
    gate.open();
    await closing;
    expect(await run.ended).toBe(0);
    expect(journal.lines).toEqual(['slow began', 'slow ended', 'database closed']);
  });

  test("an application's own shutdown hooks close it once, and the worker waits for the last of them", async () => {
    const shutDown: string[] = [];
    @Injectable()
    class Slowest implements OnApplicationShutdown {
      async onApplicationShutdown(): Promise<void> {
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        shutDown.push('slowest');
      }
    }
    @Global()
    @Module({ providers: [Slowest] })
    class GlobalModule {}
    @Module({ imports: [GlobalModule, application()] })
    class AppModule {}
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const run = start(AppModule, [], (app) => void app.enableShutdownHooks());
    const journal = (await run.app).get(Journal, { strict: false });
    await vi.waitFor(() => expect(run.log.event('worker.started')).toHaveLength(1));
    process.emit('SIGTERM');
    const code = await run.ended;
    expect({ code, shutDown, lines: journal.lines }).toEqual({
      code: 0,
      shutDown: ['slowest'],
      lines: ['database closed'],
    });
    await vi.waitFor(() => expect(kill).toHaveBeenCalled());
  });

  test('the signal that Nest sends once more when its hooks are over is no second one', async () => {
    const { markClosed } = WorkerDrain.prototype;
    vi.spyOn(WorkerDrain.prototype, 'markClosed').mockImplementation(function (this: WorkerDrain) {
      markClosed.call(this);
      process.emit('SIGTERM');
    });
    const run = start(application(), []);
    await run.app;
    await vi.waitFor(() => expect(run.log.event('worker.started')).toHaveLength(1));
    process.emit('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(run.log.event('worker.forced')).toEqual([]);
  });

  test('a worker inside the application is not started in a worker process', async () => {
    @Module({
      imports: [KinetisQueueModule.forRoot({ connections: { default: memory() }, worker: {} })],
      providers: [Journal, ...provideJobs(Note)],
    })
    class AppModule {}
    const run = start(AppModule, ['--once', '--poll-timeout=0.01']);
    expect(await run.ended).toBe(0);
    expect(run.log.event('worker.started')).toHaveLength(1);
  });

  test('a connection that keeps its jobs in the process is warned about where the worker serves another', async () => {
    @Module({
      imports: [
        KinetisQueueModule.forRoot({ connections: { default: memory(), fast: memory(), inline: sync() } }),
      ],
      providers: [Journal, ...provideJobs(Note)],
    })
    class AppModule {}
    const run = start(AppModule, ['--once', '--poll-timeout=0.01']);
    expect(await run.ended).toBe(0);
    expect(run.log.event('worker.unserved-connection')).toMatchObject([{ connection: 'fast' }]);
  });
});
