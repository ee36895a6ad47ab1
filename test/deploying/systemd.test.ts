import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseFlags } from '../../lib/module/configuration/flags.js';
import { WORKER_OPTIONS } from '../../lib/module/configuration/worker-options.js';
import { temporaryFolder } from '../support/sqlite-queue.js';
import { onPath } from './on-path.js';

const unit = readFileSync('docs/deploying/shop-worker@.service', 'utf8');
const settings = new Map(
  [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const analyze = onPath('systemd-analyze');

test('the unit starts node itself, with flags that a worker takes', () => {
  const [node, script, ...flags] = (settings.get('ExecStart') ?? '').split(' ');
  expect([node, script]).toEqual(['/usr/bin/node', 'dist/worker']);
  expect(parseFlags(flags).given).toMatchObject({ queues: ['mail', 'default'], concurrency: 10 });
});

test('the unit signals the worker alone, and gives it 10 s more than the shutdown timeout', () => {
  expect(settings.get('KillMode')).toBe('mixed');
  expect(settings.get('KillSignal')).toBe('SIGTERM');
  const { fallback = NaN } = WORKER_OPTIONS.shutdownTimeoutSeconds;
  expect(settings.get('TimeoutStopSec')).toBe(String(fallback + 10));
});

test('the unit is started again after each exit code but the one that a restart does not mend', () => {
  expect(settings.get('Restart')).toBe('always');
  expect(settings.get('RestartPreventExitStatus')).toBe('64');
});

test.skipIf(analyze === null)('systemd accepts the unit', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'shop-worker@.service');
  // The only thing that it looks for on this machine.
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync(analyze ?? '', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
