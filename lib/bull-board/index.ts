export * from './bull-board-options.js';
export * from './bull-board-queues.js';
