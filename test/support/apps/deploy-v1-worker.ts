import { runDeployedWorker } from './deploy-app.js';
import { version1 } from './deploy-v1.jobs.js';

await runDeployedWorker(version1);
