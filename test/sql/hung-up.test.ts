import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../support/eventually.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { newQueueDatabase } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';
import { driverNamed } from '../support/sql-servers.js';
import { type Relay, TcpProxy, type Wire } from '../support/tcp-proxy.js';

/** Rejections that nobody heard of, which would end a worker. */
function unheard(): readonly unknown[] {
  const errors: unknown[] = [];
  const listener = (error: unknown): void => void errors.push(error);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  return errors;
}

/** Keeps back every answer to a push, and cuts whoever asks the server to end another's statement. */
function silentAbout(kills: string[]): (wire: Wire) => Relay {
  return ({ client, server, cut }) => {
    let isSilent = false;
    return {
      fromClient(chunk) {
        const text = chunk.toString('latin1');
        isSilent ||= text.includes('insert into');
        if (!/\bKILL \d/.test(text)) return void server.write(chunk);
        kills.push(text);
        cut();
      },
      fromServer: (chunk) => isSilent || client.write(chunk),
    };
  };
}

for (const name of ['postgresql', 'mariadb', 'mysql'] as const) {
  const driver = driverNamed(name);
  describe.runIf(isTested(driver.backend))(`a statement through ${name} that is given up on`, () => {
    it('closes its connection and asks the server for nothing more, which could fail where nobody hears of it', async () => {
      const direct = await newQueueDatabase(driver);
      const errors = unheard();
      const kills: string[] = [];
      const { host, port } = driver.address;
      const wire = await TcpProxy.open({ host, port, relay: silentAbout(kills) });
      onTestFinished(() => wire.close());
      const connection = { ...direct, host: '127.0.0.1', port: wire.port };
      const backend = await openBackend({ connection, commandTimeoutMs: 300 });
      await backend.count('warm');
      const connections = wire.connections;
      const [outcome] = await backend.store([newJob()]);
      expect(outcome).toMatchObject({ status: 'unknown' });
      await waitFor('its connection to be closed', () => wire.connections < connections || kills.length > 0);
      await backend.count('after');
      expect([errors, kills]).toEqual([[], []]);
    });
  });
}
