import { TerminusModule } from '@nestjs/terminus';
import { Test } from '@nestjs/testing';
import { Injectable } from '@nestjs/common';
import { expect, it } from 'vitest';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '../../lib/health.js';
import {
  type BackendFactory,
  Handle,
  Job,
  KinetisQueueModule,
  memory,
  provideJobs,
} from '../../lib/index.js';
import { eventually } from '../support/eventually.js';

@Injectable()
class Nothing {}

@Job()
class Idle {
  @Handle()
  handle(_nothing: Nothing): void {}
}

/** A backend whose reserve fails in a way that no server has. */
const broken: BackendFactory = async (context) => {
  const backend = await memory()(context);
  backend.reserve = () => Promise.reject(new TypeError('hunter2 at db.internal'));
  return backend;
};

async function start(backend: BackendFactory, worker: object | undefined) {
  const app = await Test.createTestingModule({
    imports: [
      TerminusModule.forRoot({ logger: false }),
      KinetisQueueHealthModule,
      KinetisQueueModule.forRoot({
        connections: { default: backend },
        ...(worker === undefined ? {} : { worker }),
      }),
    ],
    providers: [Nothing, ...provideJobs(Idle)],
  }).compile();
  app.useLogger(false);
  await app.init();
  return { app, health: app.get(QueueHealthIndicator) };
}

it('a worker inside the application is up while it runs', async () => {
  const { app, health } = await start(memory(), {});
  expect(health.workerCheck('worker')).toEqual({ worker: { status: 'up' } });
  await app.close();
});

it('a worker inside the application that ended by itself is down, and says nothing of the error', async () => {
  const { app, health } = await start(broken, {});
  await eventually('the end of the worker', () => health.workerCheck('worker').worker.status === 'down');
  const answer = health.workerCheck('worker');
  expect(answer).toMatchObject({ worker: { status: 'down', exitCode: 70 } });
  expect(JSON.stringify(answer)).not.toContain('hunter2');
  await app.close();
});

it('an application without a worker is down, and the answer says what to do', async () => {
  const { app, health } = await start(memory(), undefined);
  expect(health.workerCheck('worker')).toEqual({
    worker: { status: 'down', message: expect.stringMatching(/No worker runs.*Give `worker`.*health port/) },
  });
  await app.close();
});
