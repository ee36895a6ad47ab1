import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.js';
import { findCommand } from '../../lib/cli/find-command.js';
import { parseFlags } from '../../lib/module/configuration/flags.js';
import { WORKER_OPTIONS } from '../../lib/module/configuration/worker-options.js';
import { at, parseYaml, type Yaml } from './parse-yaml.js';

const folder = 'docs/deploying/kubernetes';
const readManifest = (name: string): Promise<Yaml> =>
  parseYaml(readFileSync(`${folder}/${name}.yaml`, 'utf8'));

let worker: Yaml;
let web: Yaml;
let migrate: Yaml;

beforeAll(async () => {
  [worker, web, migrate] = (await Promise.all(['worker', 'web', 'migrate'].map(readManifest))) as [
    Yaml,
    Yaml,
    Yaml,
  ];
});

const container = 'spec.template.spec.containers.0';

describe('the manifest of the worker', () => {
  test('has flags that a worker takes', () => {
    expect(at(worker, `${container}.command`)).toEqual(['node', 'dist/worker']);
    const { given } = parseFlags(at(worker, `${container}.args`) as readonly string[]);
    expect(given).toMatchObject({ queues: ['mail', 'default'], concurrency: 10, healthPort: 8080 });
  });

  test('gives a stop 10 s more than the shutdown timeout', () => {
    const { given } = parseFlags(at(worker, `${container}.args`) as readonly string[]);
    const timeout = given.shutdownTimeoutSeconds ?? WORKER_OPTIONS.shutdownTimeoutSeconds.fallback;
    expect(at(worker, 'spec.template.spec.terminationGracePeriodSeconds')).toBe(String(Number(timeout) + 10));
  });

  test('probes the paths of the health server on its port', () => {
    const { given } = parseFlags(at(worker, `${container}.args`) as readonly string[]);
    const port = at(worker, `${container}.ports.0`);
    expect(port).toEqual({ name: 'health', containerPort: String(given.healthPort) });
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) =>
      at(worker, `${container}.${probe}.httpGet`),
    );
    expect(probes).toEqual([
      { path: '/live', port: 'health' },
      { path: '/live', port: 'health' },
      { path: '/ready', port: 'health' },
    ]);
  });
});

test('the migration is a command of the package, started once', () => {
  const [file, name, ...flags] = at(migrate, `${container}.command`) as readonly string[];
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<string, string> };
  expect(Object.keys(bin).map((each) => `node_modules/.bin/${each}`)).toContain(file);
  expect(findCommand(COMMANDS, [name ?? '', ...flags])).toMatchObject({ command: { name: 'migrate' } });
  expect(at(migrate, 'spec.template.spec.restartPolicy')).toBe('Never');
});

test('what a Deployment selects is what its template is labelled with', () => {
  for (const manifest of [worker, web]) {
    expect(at(manifest, 'kind')).toBe('Deployment');
    expect(at(manifest, 'spec.template.metadata.labels')).toEqual(at(manifest, 'spec.selector.matchLabels'));
  }
});

test('all manifests run one image, and begin a process without a shell', () => {
  const images = [worker, web, migrate].map((manifest) => at(manifest, `${container}.image`));
  expect(new Set(images).size).toBe(1);
  for (const manifest of [worker, web, migrate]) {
    const [program] = at(manifest, `${container}.command`) as readonly string[];
    expect(program).not.toMatch(/sh$|npm|npx/);
  }
});
