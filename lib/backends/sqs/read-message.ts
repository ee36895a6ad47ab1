import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { RawHeader } from '../../contract/index.js';

/** The attributes of a message that the header is read from. */
export const HEADER_ATTRIBUTES = ['v', 'leaseSeconds'];

/** Of an envelope that says nothing of its version: whoever else writes to the queue need not know of it. */
const FIRST_VERSION = 1;

/**
 * The header of a received message. SQS keeps no counters of ours: each receive is an attempt and a transition. A message
 * without its count of receives cannot be read.
 */
export function headerOf({ Attributes, MessageAttributes = {} }: Message): RawHeader {
  const receives = Attributes?.ApproximateReceiveCount;
  if (receives === undefined) return null;
  const { v, leaseSeconds } = MessageAttributes;
  return {
    v: v === undefined ? FIRST_VERSION : valueOf(v),
    serial: Number(receives),
    attempts: Number(receives) - 1,
    deferrals: 0,
    graceRounds: 0,
    leaseSeconds: leaseSeconds === undefined ? null : valueOf(leaseSeconds),
    priority: 0,
    rank: 0,
    uniqueKey: null,
  };
}

function valueOf({ DataType = '', StringValue, BinaryValue }: MessageAttributeValue): unknown {
  return DataType.startsWith('Number') ? Number(StringValue) : (StringValue ?? BinaryValue);
}
