export * from './kinetis-queue-health.module.js';
export * from './queue-health.indicator.js';
export * from './queue-health-options.js';
