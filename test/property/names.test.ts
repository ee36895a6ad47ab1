import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_CAPABILITIES } from '../../lib/backends/memory/index.js';
import { topologySettings } from '../../lib/backends/rabbitmq/topology/index.js';
import { redisSettings } from '../../lib/backends/redis/redis.options.js';
import { kinetisQueueSql } from '../../lib/backends/sql/migrations.js';
import { assertSchemaName, assertTablePrefix, withTableNames } from '../../lib/backends/sql/tables.js';
import { sqsSettings } from '../../lib/backends/sqs/sqs.options.js';
import {
  InvalidQueueArgumentException,
  isClearing,
  QueueConfigurationException,
  type QueueBackend,
} from '../../lib/contract/index.js';
import { assertConnectionNames } from '../../lib/module/connection-names.js';
import { ClearableQueue, QueueAdmin } from '../../lib/queue/index.js';
import { queuesOver } from '../support/fake-backend.js';
import { newJob } from './name-jobs.js';
import { repeated } from './repeated.js';

const MANY = repeated({ numRuns: 1_000 });
/** Half of them nearly names: what a pattern lets through by mistake differs from a name by a character. */
const good = fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/);
const strange = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r',
    '\0',
    ' ',
    '.',
    ':',
    '/',
    '{',
    '}',
    "'",
    '"',
    '`',
    '\\',
    ';',
    '*',
    '%',
    '$',
    '\u2028',
    'é',
    'ſ',
    'K',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
);
const nearly = fc
  .tuple(good, strange, fc.nat({ max: 80 }))
  .map(([name, piece, place]) => name.slice(0, place) + piece + name.slice(place));
const hostile = fc.constantFrom(
  "x'; drop table kinetis_queue_jobs; --",
  '"; select pg_sleep(10); --',
  '{other}:pending',
  '*\r\nFLUSHALL\r\n',
  '../../etc/passwd',
  '#',
  'amq.gen-1',
  'q.dead',
  'https://example.test/queue',
  '${jndi:ldap://example.test}',
);
const text = fc.oneof(good, nearly, hostile, fc.string({ unit: 'binary', maxLength: 90 }));
const anything = fc.oneof(text, fc.anything());

function accepts(
  check: (value: never) => unknown,
  value: unknown,
  refusal: abstract new (...args: never) => Error,
): boolean {
  try {
    check(value as never);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(refusal);
    return false;
  }
}

/** A backend that everything can be asked of, and that fails the test when it is. */
function untouchable(): QueueBackend {
  const properties: { readonly [name: string]: unknown } = {
    driver: 'untouchable',
    capabilities: { ...MEMORY_CAPABILITIES, transactionalPush: true },
  };
  return new Proxy({} as QueueBackend, {
    get(_target, name) {
      if (typeof name === 'string' && name in properties) return properties[name];
      if (name === 'whyNot' || name === 'then' || typeof name === 'symbol') return undefined;
      return () => {
        throw new Error(`${name}() was called`);
      };
    },
  });
}

describe('a queue name that is none', () => {
  const { default: queue } = queuesOver({ default: untouchable() });
  const { connection } = queue;
  const never = new AbortController().signal;
  const admin = new QueueAdmin(queue);
  const operations: { readonly [name: string]: (name: string) => Promise<unknown> } = {
    push: (name) => queue.push(newJob(), { queue: name }),
    pushMany: (name) => queue.pushMany([newJob(), { job: newJob(), queue: name }]),
    chain: (name) => queue.chain([newJob(), { job: newJob(), queue: name }]),
    pop: (name) => connection.pop(1, ['mail', name], never),
    reserve: (name) => connection.reserve([name, 'mail'], 1),
    size: (name) => connection.size(name),
    counts: (name) => connection.counts(name),
    clear: async (name) => new ClearableQueue(queue).clear(name),
    pause: (name) => admin.pause(name),
    resume: (name) => admin.resume(name),
    'failed.list': (name) => admin.failed.list({ queue: name }),
    'failed.retryAll': (name) => admin.failed.retryAll({ queue: name }),
    'failed.flush': (name) => admin.failed.flush({ queue: name }),
    'browse.list': (name) => admin.browse.list({ queue: name, state: 'ready' }),
    'browse.find': (name) => admin.browse.find(name, 'f'.repeat(32)),
    'browse.remove': (name) => admin.browse.remove(name, 'f'.repeat(32)),
    'browse.promote': (name) => admin.browse.promote(name, 'f'.repeat(32)),
  };
  const bad = anything.filter(
    (value) => value !== undefined && !(typeof value === 'string' && /^[A-Za-z0-9_-]{1,80}$/.test(value)),
  );

  for (const [operation, call] of Object.entries(operations)) {
    it(`is refused by ${operation}() before the backend is asked anything`, async () => {
      await fc.assert(
        fc.asyncProperty(bad, async (name) => {
          await expect(call(name as string)).rejects.toBeInstanceOf(InvalidQueueArgumentException);
        }),
        repeated({ numRuns: 100 }),
      );
    });

    it(`and ${operation}() of a name asks it`, async () => {
      expect(isClearing(untouchable())).toBe(true);
      await fc.assert(
        fc.asyncProperty(
          good.filter((name) => name !== 'mail'),
          async (name) => {
            await expect(call(name)).rejects.toThrow(/\(\) was called/);
          },
        ),
        repeated({ numRuns: 20 }),
      );
    });
  }
});

describe('a name that an option gives', () => {
  const options: { readonly [option: string]: readonly [(value: never) => unknown, RegExp] } = {
    'a prefix on redis': [(prefix) => redisSettings({ prefix }), /^[A-Za-z0-9_:.-]{1,100}$/],
    'a prefix on rabbitmq': [(queuePrefix) => topologySettings({ queuePrefix }), /^[A-Za-z0-9_-]{0,80}$/],
    'a prefix on sqs': [(queuePrefix) => sqsSettings({ queuePrefix }), /^[A-Za-z0-9_-]{0,79}$/],
    'a prefix on sql': [(prefix) => assertTablePrefix(prefix), /^[A-Za-z_][A-Za-z0-9_]{0,31}$/],
    'a schema on sql': [(schema) => assertSchemaName(schema), /^[A-Za-z_][A-Za-z0-9_]{0,62}$/],
    'a connection': [
      (name) => assertConnectionNames(name === 'default' ? [name] : ['default', name]),
      /^[A-Za-z0-9_-]{1,80}$/,
    ],
  };

  for (const [what, [check, pattern]] of Object.entries(options)) {
    it(`is accepted for ${what} exactly where it matches ${pattern}`, () => {
      fc.assert(
        fc.property(fc.oneof(anything, fc.stringMatching(pattern)), (value) => {
          // An option that is left out has a default, and so has null.
          if (value === undefined || value === null) return;
          const expected = typeof value === 'string' && pattern.test(value);
          expect(accepts(check, value, QueueConfigurationException)).toBe(expected);
        }),
        MANY,
      );
    });
  }
});

describe('the tables of sql', () => {
  const prefix = fc.oneof(
    fc.constantFrom('kinetis_queue_', 'jobs', 'kinetis_queue_jobs', 'x_kinetis_queue_'),
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/),
  );
  const schema = fc.oneof(
    fc.constantFrom('kinetis_queue_live', 'kinetis_queue_jobs', 'public'),
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/),
  );

  it('have the names that were asked for, whatever else is named like them', () => {
    const sql =
      'create index kinetis_queue_jobs_due on kinetis_queue_jobs; select 1 from kinetis_queue_failed_jobs';
    fc.assert(
      fc.property(prefix, fc.option(schema), (named, within) => {
        const at = within === null ? '' : `${within}.`;
        expect(withTableNames(sql, { prefix: named, schema: within })).toBe(
          `create index ${named}jobs_due on ${at}${named}jobs; select 1 from ${at}${named}failed_jobs`,
        );
      }),
      MANY,
    );
  });

  it('are no others than these in any migration', () => {
    fc.assert(
      fc.property(
        prefix.filter((named) => !/kinetis_queue_/.test(named)),
        fc.constantFrom('postgresql' as const, 'mysql' as const, 'sqlite' as const),
        (named, dialect) => {
          const statements = kinetisQueueSql(dialect, named).flatMap((migration) => migration.statements);
          expect(statements.join('\n')).not.toContain('kinetis_queue_');
        },
      ),
      repeated({ numRuns: 100 }),
    );
  });
});
