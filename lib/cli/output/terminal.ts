/** A stream that a command writes to. */
export interface CommandStream {
  write(text: string): unknown;
  /** A person looks at it. */
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What would move a terminal's cursor or change its title; an error's message may hold it. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

function visible(text: string): string {
  return text.replace(CONTROLS, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Where a command's answer goes, and beside it what is said on the way. */
export class Terminal {
  constructor(
    readonly out: CommandStream,
    readonly err: CommandStream,
  ) {}

  /** A part of the answer. */
  print(text: string): void {
    this.out.write(`${visible(text)}\n`);
  }

  /** The answer for programs. */
  printJson(value: unknown): void {
    this.out.write(`${JSON.stringify(value)}\n`);
  }

  /** Progress, warnings and errors, which are no part of the answer. */
  note(text: string): void {
    this.err.write(`${visible(text)}\n`);
  }
}
