import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const LENGTH_BYTES = 4;

/** Writes one value: its length, then its structured clone. */
export function writeFrame(socket: Socket, value: unknown): void {
  const bytes = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  socket.write(Buffer.concat([length, bytes]));
}

/** Calls `take` with every value that comes, in order. */
export function readFrames(socket: Socket, take: (value: unknown) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readUInt32BE();
      if (rest.length < end) return;
      take(deserialize(rest.subarray(LENGTH_BYTES, end)));
      rest = rest.subarray(end);
    }
  });
}
