import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ConnectionFailed,
  KinetisQueueModule,
  Queue,
  QueueServerException,
  ServerRefused,
} from '@kinetis/nestjs-queue';
import { withFailingCalls } from './failing-calls.js';
import { faultConnection, faultLedger, pushPlan } from './fault-environment.js';
import { FaultJob } from './fault.job.js';
import { type JobPlan, payloadOf } from './job-plan.js';
import { watchLoopLag } from './loop-lag.js';
import { StrangerJob } from './stranger.job.js';

const RETRY_MS = 50;

const ledger = faultLedger();
const { jobs, lanes, pauseMs } = pushPlan();

@Module({
  imports: [
    KinetisQueueModule.forRoot({ connections: { default: withFailingCalls(faultConnection(), ledger) } }),
  ],
})
class PusherModule {}

const app = await NestFactory.createApplicationContext(PusherModule, { logger: ['error', 'warn'] });
const queue = app.get(Queue);
watchLoopLag(ledger);
ledger.write({ kind: 'up', of: ledger.name });

const waiting = [...jobs];
await Promise.all(Array.from({ length: lanes }, () => pushInTurn()));
await app.close();

async function pushInTurn(): Promise<void> {
  for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
    while (!(await isPushed(plan))) await sleep(RETRY_MS);
    await sleep((plan.payloadBytes % 8) * (pauseMs / 8));
  }
}

/** A push that was not accepted is made again, whatever became of it. */
async function isPushed(plan: JobPlan): Promise<boolean> {
  const { job } = plan;
  ledger.write({ kind: 'push-try', job });
  try {
    ledger.write({ kind: 'push-ok', job, id: await push(plan) });
    return true;
  } catch (error) {
    if (!(error instanceof QueueServerException)) {
      ledger.write({ kind: 'defect', text: `push(): ${String(error)}` });
      return true;
    }
    const isRefused = error instanceof ConnectionFailed || error instanceof ServerRefused;
    ledger.write({ kind: isRefused ? 'push-refused' : 'push-unknown', job, error: error.code });
    return false;
  }
}

function push({ job, kind, durationMs, payloadBytes }: JobPlan): Promise<string> {
  if (kind === 'unknown-class') return queue.push(new StrangerJob(job));
  const options = { throws: { maxAttempts: 2 }, exits: { maxAttempts: 1 } }[kind as string] ?? {};
  return queue.push(new FaultJob(job, kind, durationMs, payloadOf(job, payloadBytes)), options);
}
