import * as v from 'valibot';
import { option, parseNumber } from './option.js';

/**
 * What the environment says of the broker of a connection with the driver `rabbitmq`, and of how its queues are declared:
 * all processes that share queues have to say the same. A connection "ledger" reads the variables with LEDGER in them.
 */
export const RABBITMQ_OPTIONS = {
  url: option({
    variable: 'QUEUE_RABBITMQ_URL',
    variableOfConnection: 'QUEUE_RABBITMQ_<NAME>_URL',
    takes: 'addresses',
    summary: 'The broker; the nodes of a cluster separated by commas, tried in turn.',
    expected:
      'an address that begins with amqp:// or amqps://, such as amqp://user:password@host-a,host-b:5672/vhost, or several ' +
      'of them separated by commas, with / ? # % in user and password percent-encoded',
    otherwise: 'amqp://127.0.0.1:5672',
    secret: true,
    schema: v.pipe(v.string(), v.check(areAddresses)),
  }),
  queuePrefix: option({
    variable: 'QUEUE_RABBITMQ_QUEUE_PREFIX',
    variableOfConnection: 'QUEUE_RABBITMQ_<NAME>_QUEUE_PREFIX',
    takes: 'prefix',
    summary: 'Begins the names of all queues on the broker.',
    expected: 'up to 80 of the characters A-Z a-z 0-9 _ -',
    otherwise: '`QUEUE_PREFIX`, else none',
    schema: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/)),
  }),
  queueType: option<'classic' | 'quorum'>({
    variable: 'QUEUE_RABBITMQ_QUEUE_TYPE',
    variableOfConnection: 'QUEUE_RABBITMQ_<NAME>_QUEUE_TYPE',
    takes: 'type',
    summary: 'Quorum queues are replicated and count crashes; they have no priorities.',
    expected: 'classic or quorum',
    fallback: 'classic',
    schema: v.picklist(['classic', 'quorum']),
  }),
  delays: option<'ladder' | 'hold'>({
    variable: 'QUEUE_RABBITMQ_DELAYS',
    variableOfConnection: 'QUEUE_RABBITMQ_<NAME>_DELAYS',
    takes: 'strategy',
    summary: 'How a delayed job waits.',
    expected: 'ladder or hold',
    fallback: 'ladder',
    schema: v.picklist(['ladder', 'hold']),
  }),
  maxPriority: option({
    variable: 'QUEUE_RABBITMQ_MAX_PRIORITY',
    variableOfConnection: 'QUEUE_RABBITMQ_<NAME>_MAX_PRIORITY',
    takes: 'number',
    summary: 'Classic queues: the number of levels that priorities are laid on.',
    expected: '0 (none) or an integer from 3 to 255',
    otherwise: '10, and none on quorum queues',
    parse: parseNumber,
    schema: v.pipe(
      v.number(),
      v.integer(),
      v.check((levels) => levels === 0 || (levels >= 3 && levels <= 255)),
    ),
  }),
  messageTtl: option({
    variable: 'QUEUE_RABBITMQ_MESSAGE_TTL',
    variableOfConnection: 'QUEUE_RABBITMQ_<NAME>_MESSAGE_TTL',
    takes: 'milliseconds',
    summary: 'How long a job may be ready before the broker moves it to the dead letters.',
    expected: 'an integer of milliseconds from 1 to 4294967295',
    otherwise: 'no limit',
    parse: parseNumber,
    schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4_294_967_295)),
  }),
} as const;

const SCHEME = /^amqps?:\/\//;

/** Whole addresses, or hosts that share what stands before the first and after the last. */
function areAddresses(text: string): boolean {
  const parts = text.split(',');
  return (
    SCHEME.test(text) && parts.every((part) => URL.canParse(SCHEME.test(part) ? part : `amqp://${part}`))
  );
}
