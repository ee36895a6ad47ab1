import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { Queue } from '@kinetis/nestjs-queue';
import { drain, recordQueues, runJob } from '@kinetis/nestjs-queue/testing';
import { AppModule } from './app.module.js';
import { Greet, Greeter } from './greet.job.js';

const at = new Date('2026-01-02T03:04:05.678Z');

test('the helpers for tests record a push, run a job and drain what was pushed', async () => {
  const builder = Test.createTestingModule({ imports: [AppModule] });
  const queues = recordQueues(builder);
  const app = await (await builder.compile()).init();
  await app.get(Queue).push(new Greet('Ada', at), { priority: 5 });
  queues
    .pushed(Greet, { args: { name: 'Ada', at } })
    .with({ priority: 5 })
    .times(1);
  expect(() => queues.notPushed(Greet)).toThrow(/no Greet, came 1/);
  expect(await runJob(app, new Greet('Bob', at), { attempts: 2 })).toMatchObject({ outcome: 'acked' });
  expect(await drain(app)).toMatchObject([{ job: 'Greet', outcome: 'acked', attempts: 1 }]);
  expect(app.get(Greeter).greeted).toEqual([
    'Bob 2026-01-02T03:04:05.678Z attempt 2',
    'Ada 2026-01-02T03:04:05.678Z attempt 1',
  ]);
  await app.close();
});
