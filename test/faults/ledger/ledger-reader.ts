import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/eventually.js';
import type { EntryKind, LedgerEntry } from './entries.js';

const SUFFIX = '.ledger';
const CHUNK_BYTES = 1 << 18;

/** An entry of that kind. */
export type EntryOf<Kind extends EntryKind, Entry = LedgerEntry> = Entry extends LedgerEntry
  ? Kind extends Entry['kind']
    ? Entry & { readonly kind: Kind }
    : never
  : never;

/** The ledgers of a trial's folder, read on as they grow. */
export class LedgerReader {
  readonly #files = new Map<string, GrowingFile>();
  #entries: LedgerEntry[] = [];

  constructor(readonly folder: string) {}

  /** Every whole line of every ledger so far, in the order of the clock that all processes share. */
  entries(): readonly LedgerEntry[] {
    const news: LedgerEntry[] = [];
    for (const name of readdirSync(this.folder)) {
      if (!name.endsWith(SUFFIX)) continue;
      const file = this.#files.get(name) ?? new GrowingFile(join(this.folder, name));
      this.#files.set(name, file);
      for (const line of file.newLines()) news.push(JSON.parse(line) as LedgerEntry);
    }
    if (news.length > 0) this.#entries = [...this.#entries, ...news].sort((a, b) => a.atUs - b.atUs);
    return this.#entries;
  }

  of<Kind extends EntryKind>(kind: Kind, process?: string): readonly EntryOf<Kind>[] {
    return this.entries().filter(
      (entry) => entry.kind === kind && (process === undefined || entry.process === process),
    ) as unknown as readonly EntryOf<Kind>[];
  }

  /** Waits until there are so many entries of a kind, of one process or of all. */
  async seen(
    kind: EntryKind,
    count: number,
    options: { readonly process?: string; readonly deadlineMs?: number } = {},
  ): Promise<void> {
    const { process, deadlineMs = 60_000 } = options;
    const whose = process === undefined ? '' : ` of ${process}`;
    await waitFor(`${count} × ${kind}${whose}`, () => this.of(kind, process).length >= count, deadlineMs);
  }
}

/** What stands after the last newline is not written yet, or was torn by a kill: no line. */
class GrowingFile {
  #offset = 0;
  #rest = '';

  constructor(private readonly path: string) {}

  newLines(): readonly string[] {
    const fd = openSync(this.path, 'r');
    const lines: string[] = [];
    try {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      for (;;) {
        const length = readSync(fd, buffer, 0, CHUNK_BYTES, this.#offset);
        if (length === 0) return lines;
        this.#offset += length;
        const parts = (this.#rest + buffer.toString('utf8', 0, length)).split('\n');
        this.#rest = parts.pop() ?? '';
        lines.push(...parts);
      }
    } finally {
      closeSync(fd);
    }
  }
}
