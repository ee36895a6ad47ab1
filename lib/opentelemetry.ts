export * from './telemetry/index.js';
