export * from './open-telemetry.js';
export * from './open-telemetry.options.js';
