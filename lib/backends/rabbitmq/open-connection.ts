import type { ChannelModel } from 'amqplib';
import type { BrokerAddress } from './broker-address.js';
import { type AmqpLib, importAmqpLib } from './import-amqplib.js';
import { NoConnection, type TriedHost } from './no-connection.js';
import { DEFAULT_HEARTBEAT_SECONDS, type RabbitMqSettings } from './rabbitmq.options.js';
import { within } from './within.js';

export interface NamedSettings extends RabbitMqSettings {
  readonly connectionName: string;
}

/** The client library's connection keeps its socket here. */
interface WithSocket {
  readonly stream?: { destroy?(): void; destroySoon?(): void };
}

/** A peer that went away without a word would keep the socket, and with it the process, for a long time. */
const LAST_WORDS_MS = 1_000;

/** Ends the socket of a connection that is over, when what is written has left. */
export function dropSocket(connection: ChannelModel): void {
  const { stream } = connection.connection as WithSocket;
  stream?.destroySoon?.();
  setTimeout(() => stream?.destroy?.(), LAST_WORDS_MS).unref();
}

function openOne(
  amqplib: AmqpLib,
  address: BrokerAddress,
  { tls, heartbeatSeconds, connectTimeoutMs, connectionName }: NamedSettings,
): Promise<ChannelModel> {
  const { heartbeatSeconds: inAddress, ...place } = address;
  const heartbeat = heartbeatSeconds ?? inAddress ?? DEFAULT_HEARTBEAT_SECONDS;
  const opening = amqplib.connect(
    { ...place, heartbeat },
    {
      ...tls,
      // Frames are small: what waits for more to send is late by some 40 ms.
      noDelay: true,
      keepAlive: true,
      timeout: connectTimeoutMs,
      clientProperties: { connection_name: connectionName },
    },
  );
  return within(connectTimeoutMs, opening, (late) => {
    late.on('error', () => undefined);
    void late.close().catch(() => dropSocket(late));
  });
}

/** Opens connections: each time every host is tried in turn, beginning with the one that answered last. */
export class ConnectionOpener {
  private first = 0;

  constructor(private readonly settings: NamedSettings) {}

  /** Rejects with `NoConnection`, which has the reason of each host. */
  async open(): Promise<ChannelModel> {
    const amqplib = await importAmqpLib();
    const { addresses } = this.settings;
    const tried: TriedHost[] = [];
    for (const [offset] of addresses.entries()) {
      const index = (this.first + offset) % addresses.length;
      const address = addresses[index] as BrokerAddress;
      try {
        const connection = await openOne(amqplib, address, this.settings);
        this.first = index;
        return connection;
      } catch (reason) {
        tried.push({ address, reason });
      }
    }
    throw new NoConnection(tried);
  }
}
