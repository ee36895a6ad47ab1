/** The methods that a test looks at, by class and method number (AMQP 0-9-1). */
const METHODS = {
  '10.50': 'connection.close',
  '10.51': 'connection.close-ok',
  '10.60': 'connection.blocked',
  '20.40': 'channel.close',
  '50.10': 'queue.declare',
  '50.11': 'queue.declare-ok',
  '60.20': 'basic.consume',
  '60.30': 'basic.cancel',
  '60.40': 'basic.publish',
  '60.50': 'basic.return',
  '60.60': 'basic.deliver',
  '60.70': 'basic.get',
  '60.71': 'basic.get-ok',
  '60.80': 'basic.ack',
  '60.90': 'basic.reject',
  '60.120': 'basic.nack',
} as const;

export type AmqpMethod = (typeof METHODS)[keyof typeof METHODS];

const METHOD_FRAME = 1;
const HEAD_BYTES = 7;
const FRAME_END = 0xce;

/** One frame as it travels, and what it asks for or answers. */
export interface AmqpFrame {
  readonly bytes: Buffer;
  readonly channel: number;
  /** null for what is no method, and for methods that no test looks at. */
  readonly method: AmqpMethod | null;
}

/** Cuts what one side sends into frames; gets the chunks in order. The greeting of a connection counts as a frame. */
export function frameReader(): (chunk: Buffer) => AmqpFrame[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const frames: AmqpFrame[] = [];
    for (let length = lengthOf(rest); length !== null && length <= rest.length; length = lengthOf(rest)) {
      frames.push(frameOf(rest.subarray(0, length)));
      rest = rest.subarray(length);
    }
    return frames;
  };
}

function lengthOf(bytes: Buffer): number | null {
  if (bytes.length >= 4 && bytes.toString('latin1', 0, 4) === 'AMQP') return 8;
  return bytes.length < HEAD_BYTES ? null : HEAD_BYTES + bytes.readUInt32BE(3) + 1;
}

function frameOf(bytes: Buffer): AmqpFrame {
  if (bytes[0] !== METHOD_FRAME) return { bytes, channel: bytes.readUInt16BE(1), method: null };
  const number = `${bytes.readUInt16BE(7)}.${bytes.readUInt16BE(9)}`;
  const method = (METHODS as { readonly [number: string]: AmqpMethod })[number] ?? null;
  return { bytes, channel: bytes.readUInt16BE(1), method };
}

/** The exchange and the routing key of a `basic.publish`, the queue of a `queue.declare`. */
export function namesIn({ bytes, method }: AmqpFrame): readonly string[] {
  const count = method === 'basic.publish' ? 2 : 1;
  const names: string[] = [];
  // Class, method, and a short that means nothing any more.
  let at = HEAD_BYTES + 6;
  while (names.length < count) {
    const length = bytes.readUInt8(at);
    names.push(bytes.toString('utf8', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return names;
}

/** The frame by which a client ends its connection as it should. */
export function connectionClose(): Buffer {
  const payload = Buffer.alloc(11);
  payload.writeUInt16BE(10, 0);
  payload.writeUInt16BE(50, 2);
  payload.writeUInt16BE(200, 4);
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = METHOD_FRAME;
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.from([FRAME_END])]);
}
