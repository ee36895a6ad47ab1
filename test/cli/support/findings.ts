import type { Finding } from '../../../lib/contract/index.js';
import { commandLine, type CommandLineOptions } from './command-line.js';

export interface Diagnosis {
  readonly code: number;
  readonly findings: readonly Finding[];
  about(topic: string): readonly Finding[];
}

/** What `doctor` finds, as a program would read it. */
export async function findingsOf(
  env: NonNullable<CommandLineOptions['env']>,
  ...argv: string[]
): Promise<Diagnosis> {
  const { code, out } = await commandLine(['doctor', '--json', '--observe=0.05', ...argv], { env });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return { code, findings, about: (topic) => findings.filter((finding) => finding.topic === topic) };
}
