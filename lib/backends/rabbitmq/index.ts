export { rabbitmq } from './rabbitmq.js';
export type { RabbitMqOptions } from './rabbitmq.options.js';
