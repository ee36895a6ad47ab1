export * from './inline-runner.js';
export * from './queue-worker.js';
export * from './watched-queues.js';
export * from './worker-health-server.js';
export * from './worker-options.js';
export * from './worker-status.js';
