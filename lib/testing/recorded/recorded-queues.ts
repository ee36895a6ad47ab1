import { isDeepStrictEqual } from 'node:util';
import {
  encodeArguments,
  type JobClass,
  type JobDefinition,
  jobDefinition,
  jobDefinitionOf,
  type JobInstance,
} from '../../jobs/index.js';
import { describeMatch } from './describe-push.js';
import { type AnyJob, isJob, type PushMatch, testOf } from './push-match.js';
import type { PushRecord } from './push-record.js';
import { accepted, PushedJobs, type Selection, unmet } from './pushed-jobs.js';
import type { RecordedPush } from './recorded-push.js';

/** One job of a chain: its class, its wire name, or a job with the arguments that it is to have. */
export type ChainedJob = JobClass | JobInstance | string;

/**
 * What an application under test has pushed. An assertion that is not met throws an `AssertionError` of node:assert, which
 * says what was pushed instead, sensitive arguments redacted. A push that was refused, or was a duplicate, is none.
 *
 * @publicApi
 */
export class RecordedQueues {
  readonly #record: PushRecord;

  constructor(record: PushRecord) {
    this.#record = record;
  }

  /** Every push, in order. */
  get pushes(): readonly RecordedPush[] {
    return this.#record.pushes;
  }

  /** A job was pushed, on whichever connection; by its class, or by its wire name. */
  pushed<J extends JobInstance>(job: JobClass<J>, match?: PushMatch<J>): PushedJobs<J>;
  pushed(job: string, match?: PushMatch): PushedJobs;
  pushed<J>(job: JobClass | string, match?: PushMatch<J>): PushedJobs<J> {
    const named = this.#named(job);
    if (named.pushes.length === 0) throw unmet(`${named.title}, came none`, this.#all(), this.pushed);
    if (match === undefined) return new PushedJobs<J>(named);
    const pushes = accepted(named, testOf(match, named.target, 'pushed()'));
    const title = named.title + describeMatch(match, named.target);
    if (pushes.length === 0) throw unmet(`${title}, came none`, named, this.pushed);
    return new PushedJobs<J>({ ...named, pushes, title });
  }

  /** Something was pushed on a queue. */
  pushedOn(queue: string): PushedJobs<AnyJob> {
    const all = this.#all();
    const pushes = all.pushes.filter((push) => push.queue === queue);
    const title = `a job on "${queue}"`;
    if (pushes.length === 0) throw unmet(`${title}, came none`, all, this.pushedOn);
    return new PushedJobs({ ...all, pushes, title });
  }

  /** No such job was pushed. */
  notPushed<J extends JobInstance>(job: JobClass<J>, match?: PushMatch<J>): void;
  notPushed(job: string, match?: PushMatch): void;
  notPushed<J>(job: JobClass | string, match?: PushMatch<J>): void {
    const named = this.#named(job);
    const { target } = named;
    const pushes = match === undefined ? named.pushes : accepted(named, testOf(match, target, 'notPushed()'));
    if (pushes.length === 0) return;
    const title = named.title + describeMatch(match, target);
    throw unmet(`no ${title}, came ${pushes.length}`, { record: this.#record, pushes }, this.notPushed);
  }

  /** Nothing was pushed at all. */
  nothingPushed(): void {
    const all = this.#all();
    if (all.pushes.length === 0) return;
    throw unmet(`nothing, came ${all.pushes.length}`, all, this.nothingPushed);
  }

  /** These jobs, and no others, were pushed as one chain, in this order. A push by itself is a chain of one. */
  chained(jobs: readonly ChainedJob[]): PushedJobs<AnyJob> {
    const all = this.#all();
    const pushes = all.pushes.filter((push) => !push.followUp && isChainOf(push, jobs));
    const title = `the chain ${jobs.map(nameOf).join(', then ')}`;
    if (pushes.length === 0) throw unmet(`${title}, came none`, all, this.chained);
    return new PushedJobs({ ...all, pushes, title });
  }

  /** Forgets what was pushed, and empties the queues: for tests that share one application. */
  clear(): Promise<void> {
    return this.#record.clear();
  }

  #all(): Selection {
    return { record: this.#record, pushes: this.#record.pushes, target: null, title: 'a job' };
  }

  #named(job: JobClass | string): Selection {
    const target = typeof job === 'string' ? this.#record.definitionOf(job) : jobDefinition(job);
    const title = typeof job === 'string' ? job : jobDefinition(job).name;
    const pushes = this.#record.pushes.filter((push) => push.job === title);
    return { record: this.#record, pushes, target, title };
  }
}

function nameOf(job: ChainedJob): string {
  return typeof job === 'string' ? job : definitionOf(job).name;
}

function definitionOf(job: JobClass | JobInstance): JobDefinition {
  return isJob(job) ? jobDefinitionOf(job) : jobDefinition(job);
}

function isChainOf(push: RecordedPush, jobs: readonly ChainedJob[]): boolean {
  const steps = [{ class: push.job, args: push.args }, ...push.chain];
  if (steps.length !== jobs.length) return false;
  return jobs.every((job, index) => {
    const step = steps[index];
    if (step?.class !== nameOf(job)) return false;
    return !isJob(job) || isDeepStrictEqual(encodeArguments(definitionOf(job), job), step.args);
  });
}
