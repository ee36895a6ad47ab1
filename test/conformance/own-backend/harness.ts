import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConformanceHarness, testBackendContext } from '@kinetis/nestjs-queue/testing';
import { mine, MY_CAPABILITIES } from './mine.js';

export const harness: ConformanceHarness = {
  name: 'mine',
  capabilities: MY_CAPABILITIES,
  facilities: ['clock'],
  async open({ leaseSeconds }) {
    const folder = await mkdtemp(join(tmpdir(), 'mine-test-'));
    let nowMs = Date.now();
    const path = join(folder, 'jobs.json');
    const backend = await mine({ path, leaseSeconds, now: () => nowMs })(testBackendContext());
    return {
      backend,
      advance(seconds) {
        nowMs += Math.round(seconds * 1_000);
      },
      async close() {
        await backend.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};
