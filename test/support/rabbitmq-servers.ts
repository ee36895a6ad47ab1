import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the shared server of the tests is. */
export function rabbitmqTestUrl(): URL {
  return new URL(process.env['KINETIS_TEST_RABBITMQ_URL'] || 'amqp://guest:guest@127.0.0.1:5672');
}

/** Asks a server's own command; answers what it printed. */
export type Control = (...args: readonly string[]) => Promise<string>;

/** `rabbitmqctl` of the shared server. */
export const rabbitmqctl: Control = async (...args) => (await run('rabbitmqctl', ['-q', ...args])).stdout;

/** A virtual host of a test's own. */
export interface TestVhost {
  readonly name: string;
  readonly url: URL;
  /** Removes it with all that is in it. */
  remove(): Promise<void>;
}

/** An empty virtual host on the shared server, open to the user of the tests. */
export async function newVhost(): Promise<TestVhost> {
  const name = `kinetis_test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(rabbitmqTestUrl(), { pathname: `/${name}` });
  await rabbitmqctl('add_vhost', name);
  await rabbitmqctl('set_permissions', '-p', name, decodeURIComponent(url.username), '.*', '.*', '.*');
  return {
    name,
    url,
    async remove() {
      await rabbitmqctl('delete_vhost', name);
    },
  };
}
