import { onTestFinished } from 'vitest';
import { folderWith, sqliteFactory } from './config-file.js';
import type { Store } from './stores.js';

type Operation = 'flushFailed' | 'retryAllFailed' | 'clear';

/**
 * A folder whose config.mjs has the store, with an operation on a whole queue that first calls `before`, in this process,
 * with the queue's name.
 */
export async function interruptedFolder(
  store: Store,
  operation: Operation,
  before: (queue: string) => unknown,
): Promise<string> {
  const key = `kinetis-test-${Math.random()}`;
  Object.assign(globalThis, { [key]: before });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
  return folderWith({
    'config.mjs': `
      const open = ${sqliteFactory(store)};
      export default {
        default: async (context) => {
          const backend = await open(context);
          const value = async (queue) => {
            await globalThis[${JSON.stringify(key)}](queue);
            return backend.${operation}(queue);
          };
          return Object.create(backend, { ${operation}: { value } });
        },
      };`,
  });
}
