import { canDiagnose, type Finding, SchemaOutdatedException } from '../../contract/index.js';
import type { Queue } from '../../queue/index.js';
import { type CommandExitCode, exitCodeOf } from '../exit-code-of.js';
import { refusalOf } from './refusal-of.js';

export interface ServerLook {
  readonly findings: readonly Finding[];
  /** 0 where the queues can be looked at. */
  readonly exitCode: CommandExitCode;
}

/** Whether the server is reached and can be worked with. `said` is what the backend itself warns of. */
export async function lookAtServer(
  queue: Queue,
  queues: readonly string[],
  origin: string,
  said: readonly string[],
): Promise<ServerLook> {
  const { backend, name } = queue.connection;
  const findings: Finding[] = [
    {
      topic: 'connection',
      level: 'ok',
      message: `"${name}" is ${backend.driver}, from ${origin}`,
      mend: null,
    },
  ];
  try {
    const start = performance.now();
    await backend.connect();
    const tookMs = Math.round(performance.now() - start);
    const told = canDiagnose(backend) ? await backend.diagnose(queues) : [];
    if (!told.some(({ topic }) => topic === 'server')) {
      findings.push({ topic: 'server', level: 'ok', message: `it answers, in ${tookMs} ms`, mend: null });
    }
    findings.push(...told, ...warnings(said, told));
    return { findings, exitCode: 0 };
  } catch (error) {
    findings.push(refusalOf('server', error));
    // Tables that are older are what doctor is there to find; a configuration that says nothing sensible is not.
    return { findings, exitCode: error instanceof SchemaOutdatedException ? 1 : exitCodeOf(error) };
  }
}

/** What the backend warned of, less what its own look tells with a mend. */
function warnings(said: readonly string[], told: readonly Finding[]): readonly Finding[] {
  return said
    .filter((text) => !told.some(({ message }) => text.includes(message)))
    .map((message) => ({ topic: 'server', level: 'warning', message, mend: null }));
}
