import type { BackendContext } from '../contract/index.js';

/**
 * What a backend function gets from a module, for one that is used in a test without an application:
 * `await mine({ … })(testBackendContext())`. Warnings go to `warn`, else to nobody. `resolve()` and `runInline()` throw,
 * since there are no providers and no jobs.
 *
 * @publicApi
 */
export function testBackendContext(
  connection = 'default',
  warn: (message: string) => void = () => undefined,
): BackendContext {
  const absent = (what: string): never => {
    throw new Error(
      `testBackendContext(): expected a backend that works without an application, came one that asks for ${what}. ` +
        'Open it in a module: KinetisQueueModule.forRoot({ connections: { default: … } }).',
    );
  };
  return {
    connection,
    resolve: () => absent('a provider'),
    runInline: async () => absent('a job to be run'),
    warn,
  };
}
