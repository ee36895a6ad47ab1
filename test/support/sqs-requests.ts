import type { RequestPurpose, RequestReader } from './tcp-proxy.js';

const PURPOSES: Readonly<Record<string, RequestPurpose>> = {
  sendmessagebatch: 'push',
  deletemessagebatch: 'settlement',
};
const TARGET = /\r\nx-amz-target: ?amazonsqs\.(\w+)\r\n/i;

/** Tells in the bytes of HTTP what stores or deletes a message. A request is alone on its connection till it is answered. */
export function sqsRequests(): RequestReader {
  return (chunk) => {
    const action = TARGET.exec(chunk.toString('latin1'))?.[1] ?? '';
    const purpose = PURPOSES[action.toLowerCase()] ?? null;
    return { writes: purpose !== null, commits: purpose !== null, purpose };
  };
}
