import { type BackendContext, QueueConfigurationException } from '../../contract/index.js';

/** What a backend is told where there is no application around it. */
export function commandContext(connection: string, warn: (message: string) => void): BackendContext {
  return {
    connection,
    resolve() {
      throw new QueueConfigurationException(
        "A command runs without the application, so that it has none of its providers: describe the connection's own " +
          'database by the environment (docs/configuration.md), or give a file that makes it with --config.',
      );
    },
    runInline: () =>
      Promise.reject(
        new QueueConfigurationException('A command runs no job: expected a connection that stores its jobs.'),
      ),
    warn,
  };
}
