/** The longest `x-message-ttl` and `x-expires` in milliseconds that every RabbitMQ takes: 2³² − 1, some 49.7 days. */
export const MAX_TTL_MS = 4_294_967_295;

/**
 * Longest time to live in milliseconds of a hold queue, some 24.8 days: its expiry is twice that, and the broker takes
 * no longer one.
 */
export const MAX_HOLD_MS = Math.floor(MAX_TTL_MS / 2);

/** The most levels beside level 0 that a queue can be declared with: a priority travels as one octet. */
export const MAX_PRIORITY_LEVEL = 255;

/** The most bytes that a queue, an exchange or a routing key may be called by (a short string of AMQP 0-9-1). */
export const MAX_NAME_BYTES = 255;

/** RabbitMQ keeps names that begin so for itself and refuses to declare them. */
export const RESERVED_PREFIX = 'amq.';

/**
 * A delivery limit that no job reaches. Without one RabbitMQ 4 removes a message after 20 deliveries by itself. It is
 * the same number for every version: a queue declared before a broker's upgrade must be declared alike after it.
 */
export const NO_DELIVERY_LIMIT = 2_147_483_647;
