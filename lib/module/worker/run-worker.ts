import { QueueException } from '../../contract/index.js';
import { readWorkerEnvironment } from '../configuration/environment.js';
import { parseFlags } from '../configuration/flags.js';
import { workerHelp } from '../configuration/help.js';
import type { GivenWorkerOptions } from '../configuration/worker-options.js';
import { exitCodeOf } from './exit-code-of.js';
import type { RunWorkerOptions } from './run-worker-options.js';
import { WorkerProcess } from './worker-process.js';
import type { ApplicationModule } from './worker-root.module.js';

/**
 * Runs a worker for an application in a process of its own: `await runWorker(AppModule)`. It reads the flags and the
 * environment, serves until SIGTERM, SIGINT or a limit, closes the application and ends the process.
 *
 * Exit codes: 0 stopped or a limit reached, 1 forced or unknown, 64 flags, configuration or an older schema, 69 server
 * not reached, 70 internal. Where `exit` returns, as in tests, it resolves with the code.
 *
 * @publicApi
 */
export async function runWorker(module: ApplicationModule, options: RunWorkerOptions = {}): Promise<number> {
  const {
    argv = process.argv.slice(2),
    env = process.env,
    exit = (code: number) => process.exit(code),
  } = options;
  const code = await run(module, options, argv, env);
  exit(code);
  return code;
}

async function run(
  module: ApplicationModule,
  options: RunWorkerOptions,
  argv: readonly string[],
  env: NonNullable<RunWorkerOptions['env']>,
): Promise<number> {
  let given: GivenWorkerOptions;
  try {
    const flags = parseFlags(argv);
    if (flags.help) {
      process.stdout.write(workerHelp());
      return 0;
    }
    given = { ...readWorkerEnvironment(env), ...flags.given };
  } catch (error) {
    if (!(error instanceof QueueException)) throw error;
    process.stderr.write(`${error.message}\n`);
    return exitCodeOf(error);
  }
  return new WorkerProcess(module, options, given, env).run();
}
