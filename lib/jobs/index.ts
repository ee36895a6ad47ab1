export * from './backoff.js';
export * from './delivery-scope.js';
export * from './job-class.js';
export * from './job-definition.js';
export * from './job-delivery.js';
