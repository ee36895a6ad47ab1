import * as v from 'valibot';
import { option, parseNumber } from './option.js';

const text = v.pipe(v.string(), v.minLength(1));

/**
 * What the environment says of a connection with the driver `sqs`. Credentials are found by the SDK itself: AWS_ACCESS_KEY_ID
 * and its like, a profile, the role of the machine. A connection "ledger" reads the variables with LEDGER in them.
 */
export const SQS_OPTIONS = {
  endpoint: option({
    variable: 'QUEUE_SQS_ENDPOINT',
    variableOfConnection: 'QUEUE_SQS_<NAME>_ENDPOINT',
    takes: 'address',
    summary: 'The service, where it is not the one of the region: an emulator, a VPC endpoint.',
    expected: 'an address that begins with http:// or https://',
    otherwise: "the region's",
    secret: true,
    schema: v.pipe(v.string(), v.check(isAddress)),
  }),
  region: option({
    variable: 'QUEUE_SQS_REGION',
    variableOfConnection: 'QUEUE_SQS_<NAME>_REGION',
    takes: 'region',
    summary: 'The region of the queues.',
    expected: 'the name of a region, such as eu-central-1',
    otherwise: "the SDK's own, from `AWS_REGION` or a profile",
    schema: v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)),
  }),
  accountId: option({
    variable: 'QUEUE_SQS_ACCOUNT_ID',
    variableOfConnection: 'QUEUE_SQS_<NAME>_ACCOUNT_ID',
    takes: 'account',
    summary: 'The account that owns the queues.',
    expected: 'the 12 digits of an account',
    otherwise: "the credentials' own",
    schema: v.pipe(v.string(), v.regex(/^\d{12}$/)),
  }),
  queuePrefix: option({
    variable: 'QUEUE_SQS_QUEUE_PREFIX',
    variableOfConnection: 'QUEUE_SQS_<NAME>_QUEUE_PREFIX',
    takes: 'prefix',
    summary: 'Begins the names of all queues in the account.',
    expected: 'up to 79 of the characters A-Z a-z 0-9 _ -',
    otherwise: '`QUEUE_PREFIX`, else none',
    schema: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,79}$/)),
  }),
  deadLetterQueue: option({
    variable: 'QUEUE_SQS_DEAD_LETTER_QUEUE',
    variableOfConnection: 'QUEUE_SQS_<NAME>_DEAD_LETTER_QUEUE',
    takes: 'name',
    summary: 'The queue that jobs are sent to that were given up on, without the prefix.',
    expected: 'the name of a queue',
    otherwise: 'none: such a job is deleted',
    schema: text,
  }),
  maxMessageBytes: option({
    variable: 'QUEUE_SQS_MAX_MESSAGE_BYTES',
    variableOfConnection: 'QUEUE_SQS_<NAME>_MAX_MESSAGE_BYTES',
    takes: 'bytes',
    summary: 'The largest message that the queues take.',
    expected: 'an integer of bytes from 1024',
    otherwise: '1048576',
    parse: parseNumber,
    schema: v.pipe(v.number(), v.integer(), v.minValue(1_024)),
  }),
} as const;

function isAddress(address: string): boolean {
  return /^https?:\/\//.test(address) && URL.canParse(address);
}
