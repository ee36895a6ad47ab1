export { sync } from './sync.js';
export { SYNC_CAPABILITIES } from './sync-backend.js';
