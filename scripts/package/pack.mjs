import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from '../run.mjs';

/** Packs the project into `folder`; answers the tarball's path and the paths of the files in it. */
export async function pack(folder) {
  const { code, output } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    {
      capture: true,
    },
  );
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  // npm 10 answers a list, npm 12 an object by name.
  const [packed] = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))));
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

const required = [
  'package.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'dist/lib/index.js',
  'dist/lib/index.d.ts',
];
const requiredFolders = ['docs/', 'migrations/'];
const expected = [
  /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md)$/,
  /^dist\/lib\/.+\.(js|d\.ts)$/,
  /^docs\/.+\.(md|svg)$/,
  /^docs\/deploying\/.*(Dockerfile|\.(ya?ml|service))$/,
  /^migrations\/.+\.(sql|js|ts|md)$/,
];

/** The tarball holds code, types, migrations, documents and licence, and nothing else. */
export async function checkFiles({ files }) {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const targets = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  const wanted = [...required, ...targets.map((target) => target.replace(/^\.\//, ''))];
  const missing = [
    ...new Set(wanted.filter((file) => !files.includes(file))),
    ...requiredFolders.filter((folder) => !files.some((file) => file.startsWith(folder))),
  ];
  const unexpected = files.filter((file) => !expected.some((pattern) => pattern.test(file)));
  if (missing.length > 0) throw new Error(`missing in the tarball: ${missing.join(', ')}`);
  if (unexpected.length > 0) throw new Error(`unexpected in the tarball: ${unexpected.join(', ')}`);
}
