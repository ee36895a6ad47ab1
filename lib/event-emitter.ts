export * from './listeners/index.js';
