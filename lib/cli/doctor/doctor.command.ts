import { option } from '../../module/configuration/option.js';
import { command } from '../command.js';
import { CONNECTION_OPTION, queuesOption, SECONDS } from '../options.js';
import { findingLines } from './finding-lines.js';
import { lookAtQueues } from './look-at-queues.js';
import { lookAtServer } from './look-at-server.js';

const DEFAULT_WAITED_SECONDS = 60;
const DEFAULT_OBSERVE_SECONDS = 2;

export const doctorCommand = command({
  name: 'doctor',
  summary: 'Looks for what keeps jobs from running, or may lose them, and says how to mend it.',
  remarks: [
    'It changes nothing. It ends with 1 where there is a problem, with 69 where the server is not reached, and with 0 where',
    'there are warnings alone.',
  ],
  options: {
    ...CONNECTION_OPTION,
    queues: queuesOption('every queue that holds jobs'),
    waitedSeconds: option({
      ...SECONDS,
      flag: 'waited',
      summary: 'From which age on a ready job is one that nobody takes.',
      otherwise: String(DEFAULT_WAITED_SECONDS),
    }),
    observeSeconds: option({
      ...SECONDS,
      flag: 'observe',
      summary: 'How long it watches whether a worker takes one.',
      otherwise: String(DEFAULT_OBSERVE_SECONDS),
    }),
  },
  async run({ connection, queues, waitedSeconds, observeSeconds }, run) {
    const said: string[] = [];
    const queue = await run.open(connection, (message) => said.push(message));
    const server = await lookAtServer(queue, queues ?? [], run.connections.origin(), said);
    const findings = [...server.findings];
    if (server.exitCode === 0) {
      findings.push(
        ...(await lookAtQueues(queue, queues, run, {
          waitedSeconds: waitedSeconds ?? DEFAULT_WAITED_SECONDS,
          observeSeconds: observeSeconds ?? DEFAULT_OBSERVE_SECONDS,
        })),
      );
    }
    if (run.json) run.terminal.printJson({ connection: queue.name, findings });
    else run.terminal.print(findingLines(findings));
    if (server.exitCode !== 0) return server.exitCode;
    return findings.some(({ level }) => level === 'problem') ? 1 : 0;
  },
});
