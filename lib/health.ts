export * from './health/index.js';
