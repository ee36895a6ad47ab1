import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MessageHeaders } from '../../../lib/backends/rabbitmq/topology/index.js';

interface Codec {
  encodeTable(buffer: Buffer, table: object, offset: number): number;
  decodeFields(bytes: Buffer): MessageHeaders;
}

const require = createRequire(import.meta.url);
// No subpath leads to the codec, and no other code is what headers really go through.
const codec = require(join(dirname(require.resolve('amqplib')), 'lib/codec.js')) as Codec;

/** The headers as a consumer gets them: encoded and decoded by the client library, in the space that it has for them. */
export function overTheWire(headers: MessageHeaders): MessageHeaders {
  const bytes = Buffer.alloc(65_536);
  const length = codec.encodeTable(bytes, headers, 0);
  return codec.decodeFields(bytes.subarray(4, length));
}
