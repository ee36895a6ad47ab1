import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Capabilities } from '../../../lib/contract/index.js';
import type { Store } from './stores.js';

/** A folder of the test's own with these files, removed when the test ends. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The code of a backend function on a SQLite store. */
export function sqliteFactory({ env }: Store, name = 'DB_DATABASE'): string {
  const sql = JSON.stringify(join(process.cwd(), 'lib/sql.ts'));
  const connection = JSON.stringify({ driver: 'sqlite', file: env[name] });
  return `async (context) => (await import(${sql})).sql({ connection: ${connection} })(context)`;
}

/** A folder whose config.mjs has a store that cannot do all that SQLite can. */
export async function crippledFolder(store: Store, capabilities: Partial<Capabilities>): Promise<string> {
  return folderWith({
    'config.mjs': `
      const open = ${sqliteFactory(store)};
      export default {
        default: async (context) => {
          const backend = await open(context);
          const capabilities = { ...backend.capabilities, ...${JSON.stringify(capabilities)} };
          return Object.create(backend, { driver: { value: 'crippled' }, capabilities: { value: capabilities } });
        },
      };`,
  });
}
