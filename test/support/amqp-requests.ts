import { frameReader } from './amqp-frames.js';
import type { AnswerReader, RequestReader } from './tcp-proxy.js';

/**
 * Tells in the frames of AMQP what publishes and what acknowledges. A publish is answered by a confirmation; an
 * acknowledgement by nothing, so that only its request can be lost.
 */
export function amqpRequests(): RequestReader {
  const read = frameReader();
  return (chunk) => {
    const methods = read(chunk).map(({ method }) => method);
    const settles = methods.includes('basic.ack');
    const publishes = methods.includes('basic.publish');
    return {
      writes: settles || publishes,
      commits: publishes,
      purpose: settles ? 'settlement' : publishes ? 'push' : null,
    };
  };
}

/** Tells the confirmations among what a broker sends. */
export function amqpConfirmations(): AnswerReader {
  const read = frameReader();
  return (chunk) => read(chunk).some(({ method }) => method === 'basic.ack' || method === 'basic.nack');
}
