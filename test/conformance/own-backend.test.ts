import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Handle, Job, KinetisQueueModule, provideJobs, Queue } from '@kinetis/nestjs-queue';
import { drain } from '@kinetis/nestjs-queue/testing';
import { expect, test } from 'vitest';
import { runConformance } from '../support/conformance/run-conformance.js';
import { harness } from './own-backend/harness.js';
import { mine } from './own-backend/mine.js';

runConformance(harness, { run: 325, notApplicable: 306 }, { concurrent: true });

@Injectable()
class Notes {
  readonly texts: string[] = [];
}

@Job({ maxAttempts: 2 })
class Note {
  constructor(readonly text: string) {}

  @Handle()
  handle(notes: Notes): void {
    notes.texts.push(this.text);
    if (notes.texts.length === 1) throw new Error('once more');
  }
}

test('a backend written by the page serves an application, and jobs outlive it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mine-test-'));
  const open = () =>
    Test.createTestingModule({
      imports: [
        KinetisQueueModule.forRoot({ connections: { default: mine({ path: join(folder, 'jobs.json') }) } }),
      ],
      providers: [Notes, ...provideJobs(Note)],
    }).compile();
  try {
    const first = await open();
    first.useLogger(false);
    await first.get(Queue).push(new Note('kept'), { priority: 5, metadata: { by: 'first' } });
    await first.close();
    const second = await open();
    second.useLogger(false);
    await expect(drain(second, { delayed: true })).rejects.toThrow(/delayed: .*"file".*shows none/);
    expect((await drain(second)).map(({ outcome }) => outcome)).toEqual(['released', 'acked']);
    expect(second.get(Notes).texts).toEqual(['kept', 'kept']);
    await second.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
