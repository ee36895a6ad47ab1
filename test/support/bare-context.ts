import type { BackendContext } from '../../lib/contract/index.js';

/** What a backend gets from a module, for one that is used without an application. */
export function bareContext(connection = 'default'): BackendContext {
  const none = (): never => {
    throw new Error('This backend was made without an application.');
  };
  return { connection, resolve: none, runInline: async () => none(), warn: () => {} };
}
