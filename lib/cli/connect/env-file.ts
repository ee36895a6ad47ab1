import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { QueueConfigurationException } from '../../contract/index.js';
import type { Environment } from '../../module/configuration/variables.js';

/** The environment with the variables of a file below it: what is set already wins, as with `node --env-file`. */
export function withEnvFile(environment: Environment, file: string | undefined, folder: string): Environment {
  if (file === undefined) return environment;
  try {
    return { ...parseEnv(readFileSync(resolve(folder, file), 'utf8')), ...environment };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    throw new QueueConfigurationException(
      `--env-file=${file}: expected a file that can be read, came ${code}.`,
      {
        cause: error,
      },
    );
  }
}
