import { runDeployedWorker } from './deploy-app.js';
import { version2 } from './deploy-v2.jobs.js';

await runDeployedWorker(version2);
