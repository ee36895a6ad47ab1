import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendFactory } from '@kinetis/nestjs-queue';
import { rabbitmq, type RabbitMqOptions } from '@kinetis/nestjs-queue/rabbitmq';
import { redis, type RedisOptions } from '@kinetis/nestjs-queue/redis';
import { sql, type SqlOptions } from '@kinetis/nestjs-queue/sql';
import { sqs, type SqsOptions } from '@kinetis/nestjs-queue/sqs';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import { PLAN_FILE, type PushPlan } from './job-plan.js';
import { lent } from './lent.backend.js';

/** How a target names its backend to a process: FAULT_CONNECTION, as JSON. */
export type FaultConnection =
  | { readonly driver: 'sql'; readonly options: SqlOptions }
  | { readonly driver: 'redis'; readonly options: RedisOptions }
  | { readonly driver: 'rabbitmq'; readonly options: RabbitMqOptions }
  | { readonly driver: 'sqs'; readonly options: SqsOptions }
  | { readonly driver: 'lent'; readonly options: { readonly path: string } };

export function faultVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Expected the variable ${name}, came none: a trial sets it.`);
  return value;
}

export function backendOf(connection: FaultConnection): BackendFactory {
  switch (connection.driver) {
    case 'sql':
      return sql(connection.options);
    case 'redis':
      return redis(connection.options);
    case 'rabbitmq':
      return rabbitmq(connection.options);
    case 'sqs':
      return sqs(connection.options);
    case 'lent':
      return lent(connection.options);
  }
}

export function faultConnection(): BackendFactory {
  return backendOf(JSON.parse(faultVariable('FAULT_CONNECTION')) as FaultConnection);
}

export function faultLedger(): LedgerWriter {
  return new LedgerWriter(faultVariable('FAULT_FOLDER'), faultVariable('FAULT_PROCESS'));
}

export function pushPlan(): PushPlan {
  return JSON.parse(readFileSync(join(faultVariable('FAULT_FOLDER'), PLAN_FILE), 'utf8')) as PushPlan;
}
