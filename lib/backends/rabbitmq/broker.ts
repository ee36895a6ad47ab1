import { ConnectionFailed } from '../../contract/index.js';
import { BrokerSession } from './broker-session.js';
import { ConnectionOpener, type NamedSettings } from './open-connection.js';

/** The way to the broker: connected at first use, and again at the first use after a loss. */
export class Broker {
  private readonly opener: ConnectionOpener;
  private opening: Promise<BrokerSession> | undefined;
  private closing: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly settings: NamedSettings,
    private readonly warn: (message: string) => void,
  ) {
    this.opener = new ConnectionOpener(settings);
  }

  /** Rejects with the reason when no host could be reached. */
  session(): Promise<BrokerSession> {
    if (this.closed) {
      return Promise.reject(
        new ConnectionFailed('Expected an open connection of the queue; it was closed. Nothing was sent.'),
      );
    }
    this.opening ??= this.open();
    return this.opening;
  }

  /** Allows connections again after `close()`. */
  reopen(): void {
    this.closed = false;
  }

  /** Whoever asks a second time waits for the same end. */
  async close(): Promise<void> {
    this.closed = true;
    const { opening } = this;
    this.opening = undefined;
    if (opening !== undefined) {
      this.closing = opening.then(
        (session) => session.close(),
        () => undefined,
      );
    }
    await this.closing;
  }

  private open(): Promise<BrokerSession> {
    const forget = (): void => {
      if (this.opening === opening) this.opening = undefined;
    };
    const opening = this.openNow(forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    return opening;
  }

  private async openNow(closed: () => void): Promise<BrokerSession> {
    const connection = await this.opener.open();
    const session = new BrokerSession(connection, this.settings, closed);
    connection.once('blocked', () =>
      this.warn(
        'rabbitmq(): expected the broker to take what is published, came a stop (`connection.blocked`): its memory or ' +
          'disk alarm is on. Pushes and settlements wait and fail until it is over: look at `rabbitmqctl status`.',
      ),
    );
    return session;
  }
}
