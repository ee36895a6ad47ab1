import { parseArgs } from 'node:util';

export const BACKENDS = ['redis', 'postgres', 'mariadb'];

export const HELP = `Usage: npm run soak -- [options]

An application pushes jobs at a steady rate, a worker process runs them: jobs with delays, retries, deferrals, chains,
unique keys, bulk pushes, and jobs that are given up on and retried from the failed store. Each has a number, and the
number is struck off when the job has run. Meanwhile both processes are sampled: heap after a garbage collection, resident
memory, sockets, the lag of the event loop; and the server: rows or keys. What is sampled before the warm-up is over does
not count. Progress goes to standard error, the result to standard output, as text for docs/reliability.md.

  --minutes=N       how long jobs are pushed (30)
  --backend=NAME    ${BACKENDS.join(', ')}; may be repeated (redis, postgres)
  --rate=N          jobs pushed a second (700, which is 1,260,000 in 30 minutes)
  --concurrency=N   jobs that the worker runs at a time (20)
  --json            the result as JSON

Exit codes: 0 everything holds, 1 something does not, 2 the run was too short to tell, 64 usage.

The database or prefix is the program's own, on the server of KINETIS_TEST_REDIS_URL, KINETIS_TEST_POSTGRES_URL or
KINETIS_TEST_MARIADB_URL, or of this machine; it is removed at the end.`;

/** What the flags say; null for --help. Throws for what cannot be meant. */
export function settingsOf(argv) {
  const { values: flags } = parseArgs({
    args: argv,
    options: {
      minutes: { type: 'string', default: '30' },
      backend: { type: 'string', multiple: true, default: ['redis', 'postgres'] },
      rate: { type: 'string', default: '700' },
      concurrency: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) return null;
  for (const name of flags.backend) {
    if (BACKENDS.includes(name)) continue;
    throw new Error(`--backend: expected one of ${BACKENDS.join(', ')}, came "${name}".`);
  }
  return {
    backends: [...new Set(flags.backend)],
    minutes: positive('minutes', flags.minutes, /^\d{1,4}(\.\d+)?$/, 'a number of minutes above 0'),
    rate: positive('rate', flags.rate, /^\d{1,6}$/, 'a whole number of 1 or more'),
    concurrency: positive('concurrency', flags.concurrency, /^\d{1,4}$/, 'a whole number of 1 or more'),
    json: flags.json,
  };
}

function positive(name, text, pattern, expected) {
  if (pattern.test(text) && Number(text) > 0) return Number(text);
  throw new Error(`--${name}: expected ${expected}, came "${text}".`);
}
