import { describe, expect, test } from 'vitest';
import { QueueConfigurationException } from '../../lib/index.js';
import { parseFlags } from '../../lib/module/configuration/flags.js';
import { workerHelp } from '../../lib/module/configuration/help.js';
import { WORKER_OPTIONS } from '../../lib/module/configuration/worker-options.js';

describe('flags', () => {
  test.each([
    [[], {}],
    [['--queue=mail,default'], { queues: ['mail', 'default'] }],
    [['--queue', 'mail, default'], { queues: ['mail', 'default'] }],
    [['--connection=ledger'], { connection: 'ledger' }],
    [['--concurrency', '10'], { concurrency: 10 }],
    [['--max-attempts=0'], { maxAttempts: 0 }],
    [['--poll-timeout=0.5'], { pollTimeoutSeconds: 0.5 }],
    [['--shutdown-timeout=0'], { shutdownTimeoutSeconds: 0 }],
    [['--max-connection-failures=3'], { maxConnectionFailures: 3 }],
    [
      ['--max-jobs=1', '--max-time=3600', '--max-memory=256'],
      { maxJobs: 1, maxTimeSeconds: 3600, maxMemoryMb: 256 },
    ],
    [['--once'], { once: true }],
    [['--no-renew'], { renewLeases: false }],
    [['--worker-name=web 1'], { name: 'web 1' }],
    [['--health-port=0'], { healthPort: 0 }],
  ])('%j', (argv, given) => {
    expect(parseFlags(argv)).toEqual({ help: false, given });
  });

  test.each([[['--help']], [['-h']], [['--once', '--help']]])('%j asks for help', (argv) => {
    expect(parseFlags(argv).help).toBe(true);
  });

  test.each([
    [['--concurency=2'], 'Unknown flag --concurency. Did you mean --concurrency?'],
    [['--queues=mail'], 'Did you mean --queue?'],
    [['--verbose'], 'Unknown flag --verbose. Run with --help.'],
    [['-q', 'mail'], 'Unknown flag -q.'],
    [['mail'], 'Expected flags only, came "mail".'],
    [['--', 'mail'], 'Expected flags only'],
    [['--queue'], '--queue: expected queue names'],
    [['--queue='], 'came an empty string'],
    [['--queue=a,,b'], '--queue: expected queue names'],
    [['--queue=a,a'], 'each once'],
    [['--queue=a b'], 'came "a b"'],
    [['--queue', '--once'], '--queue: expected queue names, separated by commas'],
    [['--once=yes'], '--once: expected no value'],
    [['--no-renew=false'], '--no-renew: expected no value'],
    [['--no-renews'], 'Did you mean --no-renew?'],
    [['--concurrency=0'], '--concurrency: expected an integer of 1 or more, came "0"'],
    [['--concurrency', '-1'], 'came "-1"'],
    [['--concurrency=1', '--concurrency=2'], '--concurrency: expected once'],
    [['--max-attempts=-1'], '--max-attempts: expected an integer of 0 or more'],
    [['--max-attempts=1e3'], 'came "1e3"'],
    [['--poll-timeout=0'], '--poll-timeout: expected a number of seconds above 0'],
    [['--shutdown-timeout=-1'], '--shutdown-timeout: expected 0 or a number of seconds'],
    [['--max-jobs=all'], '--max-jobs: expected'],
    [['--health-port=65536'], '--health-port: expected a port'],
    [['--worker-name=' + 'x'.repeat(101)], 'came a string of 101 characters'],
  ])('%j is a usage error', (argv, message) => {
    const parse = () => parseFlags(argv);
    expect(parse).toThrow(QueueConfigurationException);
    expect(parse).toThrow(message);
  });

  test('help names every flag and every variable', () => {
    const help = workerHelp();
    for (const { flag, variable } of Object.values(WORKER_OPTIONS)) {
      if (flag !== null) expect(help).toContain(`--${flag}`);
      if (variable !== null) expect(help).toContain(variable);
    }
  });
});
