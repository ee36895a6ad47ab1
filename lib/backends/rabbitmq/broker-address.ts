/** One node of a broker, as amqplib takes it. */
export interface BrokerAddress {
  readonly protocol: 'amqp' | 'amqps';
  readonly hostname: string;
  readonly port?: number;
  readonly username?: string;
  readonly password?: string;
  readonly vhost: string;
  /** From `?heartbeat=`, in seconds. */
  readonly heartbeatSeconds?: number;
}

const SCHEME = /^amqps?:\/\//;
/** Scheme, user and password, hosts by comma, and the rest. */
const SHARED = /^(amqps?:\/\/)([^/?#]*@)?([^/?#@]*)(\/(?!\/).*|[?#].*)?$/;

/** The addresses that one text names; null where it is none. */
export function brokerAddresses(text: string): readonly BrokerAddress[] | null {
  const addresses = singleUrls(text).map(brokerAddress);
  return addresses.every((address) => address !== null) ? addresses : null;
}

/** `amqp://a,amqp://b` are two addresses; `amqp://user:password@a,b:5673/vhost` are two hosts that share the rest. */
function singleUrls(text: string): readonly string[] {
  const parts = text.split(',');
  if (parts.every((part) => SCHEME.test(part))) return parts;
  const [, scheme = '', user = '', hosts = '', rest = ''] = SHARED.exec(text) ?? [];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
}

function brokerAddress(text: string): BrokerAddress | null {
  if (!SCHEME.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.hostname === '') return null;
  const heartbeat = Number(url.searchParams.get('heartbeat') ?? Number.NaN);
  try {
    return {
      protocol: url.protocol === 'amqps:' ? 'amqps' : 'amqp',
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      ...(url.username === '' && url.password === ''
        ? {}
        : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
      // The library decodes it.
      vhost: url.pathname.slice(1),
      ...(Number.isInteger(heartbeat) && heartbeat >= 0 ? { heartbeatSeconds: heartbeat } : {}),
    };
  } catch {
    // A stray "%" in a name or a password.
    return null;
  }
}
