// A worker process over the connection that its argument describes; it says over its channel when it waits for work.
import { runWorker } from '../../dist/lib/index.js';
import { sql } from '../../dist/lib/sql.js';
import { moduleOver } from './ping-application.mjs';

const connection = JSON.parse(process.argv[2]);
const quiet = { log() {}, warn() {}, error() {}, debug() {}, verbose() {} };
process.send('ready');
await runWorker(moduleOver(sql({ connection })), { logger: quiet, argv: [] });
