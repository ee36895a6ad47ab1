import { describe, QueueConfigurationException } from '../contract/index.js';
import { didYouMean } from '../module/configuration/did-you-mean.js';
import type { Command } from './command.js';

/** A command, and the flags that follow its words. */
export interface FoundCommand {
  readonly command: Command;
  readonly flags: readonly string[];
}

/** Finds the command that a command line begins with; null where it asks for help or says nothing. */
export function findCommand(commands: readonly Command[], argv: readonly string[]): FoundCommand | null {
  const [first] = argv;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') return null;
  for (const length of [2, 1]) {
    const name = argv.slice(0, length).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return { command, flags: argv.slice(length) };
  }
  throw unknown(commands, argv);
}

function unknown(commands: readonly Command[], argv: readonly string[]): QueueConfigurationException {
  const [first = '', second = ''] = argv;
  const group = commands.map(({ name }) => name.split(' ')).filter(([word]) => word === first);
  if (group.length > 0) {
    const words = group.map(([, word = '']) => word);
    const came = second === '' || second.startsWith('-') ? 'nothing' : describe(second);
    return new QueueConfigurationException(
      `${first}: expected one of ${words.join(', ')}, came ${came}.${didYouMean(second, words)} Run with --help.`,
    );
  }
  const words = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const came = first.startsWith('-') ? `the flag ${first.split('=')[0]}` : describe(first);
  return new QueueConfigurationException(
    `Expected a command (${words.join(', ')}), came ${came}.${didYouMean(first, words)} Run with --help.`,
  );
}
