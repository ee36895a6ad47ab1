// A worker process over the backend that its argument describes; it says over its channel when it starts.
import { runWorker } from '../../dist/lib/index.js';
import { moduleOver } from './ping-application.mjs';
import { backendOf } from './ping-backend.mjs';

const backend = await backendOf(JSON.parse(process.argv[2]));
const quiet = { log() {}, warn() {}, error() {}, debug() {}, verbose() {} };
process.send('ready');
await runWorker(moduleOver(backend), { logger: quiet, argv: [] });
