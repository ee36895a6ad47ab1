import { Optional } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import {
  Arg,
  encodeArguments,
  Handle,
  isJobClass,
  Job,
  jobDefinition,
  jobDefinitionOf,
  JobRegistry,
  rebuildJob,
  Sensitive,
  type JobInstance,
} from '../../lib/jobs/index.js';
import { JobDeclarationException } from '../../lib/contract/index.js';

@Job({ queue: 'mail', maxAttempts: 5, backoff: [10, 60, 300], aliases: ['SendWelcomeMail'] })
class SendWelcomeEmail {
  constructor(
    readonly email: string,
    @Sensitive() private readonly token: string,
    readonly at: Date,
    @Optional() readonly note?: string,
    readonly tries = 3,
  ) {}

  @Handle()
  handle(): string {
    return this.token;
  }
}

/** Through JSON text, as every backend carries it. */
function roundTrip(job: JobInstance): JobInstance {
  const definition = jobDefinitionOf(job);
  return rebuildJob(definition, JSON.parse(JSON.stringify(encodeArguments(definition, job))));
}

describe('@Job()', () => {
  it('reads what a class declares, once, with defaults for the rest', () => {
    const definition = jobDefinition(SendWelcomeEmail);
    expect(definition).toMatchObject({
      target: SendWelcomeEmail,
      name: 'SendWelcomeEmail',
      aliases: ['SendWelcomeMail'],
      queue: 'mail',
      connection: null,
      maxAttempts: 5,
      backoff: [10, 60, 300],
      priority: 0,
      leaseSeconds: null,
      timeoutSeconds: null,
      inject: null,
    });
    expect(jobDefinition(SendWelcomeEmail)).toBe(definition);
    expect(
      definition.args.map(({ parameter, sensitive, optional }) => [parameter, sensitive, optional]),
    ).toEqual([
      ['email', false, false],
      ['token', true, false],
      ['at', false, false],
      ['note', false, true],
      ['tries', false, true],
    ]);
  });

  it('carries the arguments of an instance to an equal one', () => {
    const job = new SendWelcomeEmail('a@b.c', 'secret', new Date(5));
    expect(encodeArguments(jobDefinitionOf(job), job)).toEqual({
      email: 'a@b.c',
      token: 'secret',
      at: '1970-01-01T00:00:00.005000Z',
      tries: 3,
    });
    expect(roundTrip(job)).toEqual(job);
  });
  void [Arg, isJobClass, JobRegistry, JobDeclarationException];
});
