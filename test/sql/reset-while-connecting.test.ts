import { MikroORM } from '@mikro-orm/mariadb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SqlOptions } from '../../lib/sql.js';
import { hasMariadbPrograms, newPrivateMariadb } from '../support/private-mariadb.js';
import type { PrivateServer } from '../support/private-server.js';
import { isTested } from '../support/servers.js';
import { openBackend } from '../support/sql-files.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/**
 * What the client library asks by itself when it has logged in. Nobody hears of a connection that is lost meanwhile, and
 * that would end the process, in the very outage for which a worker waits.
 */
const BY_ITSELF = /\b(set names|set time_zone|@@time_zone|@@version)\b/i;

/** On a server whose own character set is not that of the queue. */
describe.runIf(isTested('mariadb') && hasMariadbPrograms())(
  'a connection to MariaDB that is being made',
  () => {
    let server: PrivateServer;
    beforeAll(async () => {
      server = await newPrivateMariadb(['--character-set-server=latin1']);
      await server.start();
    });
    afterAll(() => server.remove());

    const ways: readonly [string, (port: number) => Promise<SqlOptions>][] = [
      [
        'of a connection of the queue’s own',
        async (port) => ({
          connection: { driver: 'mariadb', host: '127.0.0.1', port, user: 'root', database: 'mysql' },
        }),
      ],
      [
        'beside an application’s MikroORM that keeps to UTC',
        async (port) => {
          const options = { host: '127.0.0.1', port, user: 'root', dbName: 'mysql', forceUtcTimezone: true };
          const orm = await MikroORM.init({
            ...options,
            entities: [],
            connect: false,
            discovery: { warnWhenNoEntities: false },
          });
          onTestFinished(() => orm.close(true));
          return { orm };
        },
      ],
    ];

    it.each(ways)('asks for nothing before it is ready: %s', async (_way, optionsOf) => {
      const asked: string[] = [];
      const unheard: unknown[] = [];
      const listener = (error: unknown): void => void unheard.push(error);
      process.on('unhandledRejection', listener);
      onTestFinished(() => void process.off('unhandledRejection', listener));
      const wire = await TcpProxy.open({
        host: '127.0.0.1',
        port: server.port,
        relay: ({ client, server: behind, cut }) => ({
          fromClient(chunk) {
            const text = chunk.toString('latin1');
            if (!BY_ITSELF.test(text)) return void behind.write(chunk);
            asked.push(text.slice(5));
            cut();
          },
          fromServer: (chunk) => void client.write(chunk),
        }),
      });
      onTestFinished(() => wire.close());
      const backend = await openBackend(await optionsOf(wire.port));
      // There is no table; what matters is that the server said so.
      await expect(backend.count('mail')).rejects.toMatchObject({ code: 'SCHEMA_OUTDATED' });
      expect([asked, unheard]).toEqual([[], []]);
    });
  },
);
