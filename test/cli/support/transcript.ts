import { commandLine } from './command-line.js';
import type { Store } from './stores.js';

/**
 * What differs by the run, in words: times, ages, rates and the room that they take in a table, addresses, and the variables
 * by which a server is reached. What a server is set to is left out.
 */
function steady(text: string): string {
  return text
    .replaceAll(/^(ok|warning) +settings .*\n( +mend: .*\n)?/gm, '')
    .replaceAll(/^warning: redis\(\): .*\n/gm, '')
    .replaceAll(/from the environment: .*/g, 'from the environment: <variables>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/ *[-+]?\d+\.\d( {2}|$)/gm, '  <rate>$1')
    .replaceAll(/ *\b\d+ m?s\b/g, ' <age>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<server>')
    .replaceAll(/kinetis_test_\w+/g, '<store>')
    .replaceAll(/--cursor=\S+/g, '--cursor=<cursor>');
}

/** Work that is through within half a second shows none; a move counts its steps. */
function withoutProgress(text: string): string {
  return text.replaceAll(/^\w+: [\d,]+ of [\d,]+ \(\d+ %\)\n/gm, '');
}

/** Command lines on one store, with what each printed and how it ended. */
export class Transcript {
  readonly #env: Store['env'];
  text = '';

  constructor(env: Store['env']) {
    this.#env = env;
  }

  async run(line: string): Promise<void> {
    const { code, out, err } = await commandLine(line.split(' '), { env: this.#env });
    const printed = steady(`${line.startsWith('move') ? err : withoutProgress(err)}${out}`).replace(
      /\n+$/,
      '',
    );
    this.text += `$ npx kinetis-queue ${line}\n${printed}\n[exit code ${code}]\n\n`;
  }
}
