export { rabbitmq } from './backends/rabbitmq/rabbitmq.js';
export type { RabbitMqOptions } from './backends/rabbitmq/rabbitmq.options.js';
export type { DelayStrategy, QueueType, TopologyOptions } from './backends/rabbitmq/topology/index.js';
