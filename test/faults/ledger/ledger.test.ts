import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/sqlite-queue.js';
import { LedgerReader } from './ledger-reader.js';
import { LedgerWriter } from './ledger-writer.js';

function newFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

describe('ledgers', () => {
  it('are read on as they grow, all of a folder in the order of time', () => {
    const folder = newFolder();
    const [one, two] = [new LedgerWriter(folder, 'worker-1'), new LedgerWriter(folder, 'worker-2')];
    const reader = new LedgerReader(folder);
    expect(reader.entries()).toEqual([]);
    one.write({ kind: 'lag', ms: 1 });
    two.write({ kind: 'lag', ms: 2 });
    expect(reader.of('lag').map(({ ms }) => ms)).toEqual([1, 2]);
    one.write({ kind: 'lag', ms: 3 });
    expect(reader.of('lag').map(({ process, ms }) => `${process} ${ms}`)).toEqual([
      'worker-1 1',
      'worker-2 2',
      'worker-1 3',
    ]);
    expect(reader.of('lag', 'worker-2')).toHaveLength(1);
  });

  it('do not show a line before it is whole', () => {
    const folder = newFolder();
    const reader = new LedgerReader(folder);
    new LedgerWriter(folder, 'worker-1').write({ kind: 'lag', ms: 1 });
    const file = join(folder, 'worker-1.ledger');
    appendFileSync(file, '{"atUs":9e15,"process":"worker-1","kind":"lag",');
    expect(reader.of('lag')).toHaveLength(1);
    appendFileSync(file, '"ms":2}\n');
    expect(reader.of('lag').map(({ ms }) => ms)).toEqual([1, 2]);
  });

  it('go on in the same file when a process writes under its name from two places', () => {
    const folder = newFolder();
    const [one, two] = [new LedgerWriter(folder, 'worker-1'), new LedgerWriter(folder, 'worker-1')];
    one.write({ kind: 'lag', ms: 1 });
    two.write({ kind: 'lag', ms: 2 });
    expect(new LedgerReader(folder).of('lag', 'worker-1')).toHaveLength(2);
  });
});
