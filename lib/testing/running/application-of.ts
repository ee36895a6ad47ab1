import { QueueConfigurationException } from '../../contract/index.js';
import { QueueApplication } from '../../module/queue-application.js';

/** An application or a testing module of Nest, in as far as it is asked for a provider. */
export interface ApplicationUnderTest {
  get(token: unknown, options: { readonly strict: false }): unknown;
}

/** The queues of an application. `what` begins the message where it has none. */
export function applicationOf(app: ApplicationUnderTest, what: string): QueueApplication {
  try {
    return app.get(QueueApplication, { strict: false }) as QueueApplication;
  } catch (cause) {
    throw new QueueConfigurationException(
      `${what}: expected an application that imports KinetisQueueModule, came one without it. Pass what compile() or ` +
        'NestFactory gave, of a module that registers the queues.',
      { cause },
    );
  }
}
