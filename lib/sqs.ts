export { sqs } from './backends/sqs/sqs.js';
export type { SqsOptions } from './backends/sqs/sqs.options.js';
