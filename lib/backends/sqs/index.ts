export { sqs } from './sqs.js';
export type { SqsOptions } from './sqs.options.js';
