import { execFile } from 'node:child_process';
import { copyFile, link, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import typescript from 'typescript';
import { transformWithOxc } from 'vite';
import type { SourcePatch } from './mutant.js';
import { patched } from './source-patch.js';

/** What every copy holds of the project. */
const FOLDERS = ['lib', 'migrations', 'test/support', 'test/faults'];
const EMBED = 'scripts/embed-sources.mjs';
const GENERATED = /\.generated\.ts$/;

const withDecorators = {
  target: typescript.ScriptTarget.ES2022,
  module: typescript.ModuleKind.ESNext,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};

/** What a copy has no use for. */
const LEFT_OUT = /\.d\.ts$|\.generated\.ts\.\d+$/;

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file));
}

/** Most sources take the fast way; for decorators its output needs helpers that only a bundler has. */
async function toJavaScript(source: string, file: string): Promise<string> {
  if (/^\s*@\w+\(/m.test(source)) {
    return typescript.transpileModule(source, { compilerOptions: withDecorators, fileName: file }).outputText;
  }
  return (
    await transformWithOxc(source, file, { lang: 'ts', target: 'es2022', tsconfig: false, sourcemap: false })
  ).code;
}

async function compile(source: string, file: string, target: string): Promise<void> {
  const code = await toJavaScript(source, file);
  await replaceFile(join(target, file.replace(/\.ts$/, '.js')), code);
}

/** A file of a copy may be one with that of the good library: it is never written into. */
async function replaceFile(file: string, text: string): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, text);
}

/** Turns the Lua and SQL sources of a copy into its modules. */
async function embedSources(copy: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(copy, EMBED)]);
  for (const file of (await filesUnder(copy, 'lib')).filter((name) => GENERATED.test(name))) {
    await compile(await readFile(join(copy, file), 'utf8'), file, copy);
  }
}

/** By its own name a copy finds itself, as an installed package does. */
async function manifestOf(project: string): Promise<string> {
  const { name, version, exports } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  return JSON.stringify({ name, version, type: 'module', exports }).replaceAll('./dist/lib/', './lib/');
}

/** How vitest runs the compiled tests of a copy. */
const TEST_CONFIGURATION = `export default {
  test: {
    include: ['test/**/*.test.js'],
    setupFiles: ['test/support/setup.js'],
    testTimeout: 10_000,
    maxWorkers: 1,
  },
};
`;

/** Compiles the library, and the tests of some folders, as they are: broken copies are made from it and held against it. */
export async function compileGoodCopy(
  project: string,
  copy: string,
  testFolders: Iterable<string>,
): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  const folders = new Set([...FOLDERS, ...testFolders]);
  const files = (await Promise.all([...folders].map((folder) => filesUnder(project, folder)))).flat();
  for (const folder of new Set([...files, EMBED].map((file) => dirname(file)))) {
    await mkdir(join(copy, folder), { recursive: true });
  }
  await writeFile(join(copy, 'package.json'), await manifestOf(project));
  await writeFile(join(copy, 'vitest.config.mjs'), TEST_CONFIGURATION);
  for (const file of [EMBED, ...files.filter((name) => !GENERATED.test(name))]) {
    if (file.endsWith('.ts')) await compile(await readFile(join(project, file), 'utf8'), file, copy);
    else await copyFile(join(project, file), join(copy, file));
  }
  await linkFaultApp(copy);
  await embedSources(copy);
}

/** The processes of fault trials are looked for where the project builds them. */
async function linkFaultApp(copy: string): Promise<void> {
  await mkdir(join(copy, 'build'), { recursive: true });
  await symlink('../test/faults', join(copy, 'build/faults'));
}

/** A copy of the good one with patches applied, whose other files are one with those of the good one. */
export async function breakCopy(
  project: string,
  good: string,
  broken: string,
  patches: readonly SourcePatch[],
): Promise<void> {
  const sources = new Map<string, string>();
  for (const patch of patches) {
    const source = sources.get(patch.file) ?? (await readFile(join(project, patch.file), 'utf8'));
    sources.set(patch.file, patched(source, patch));
  }
  await rm(broken, { recursive: true, force: true });
  const files = await filesUnder(good, '.');
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    await mkdir(join(broken, folder), { recursive: true });
  }
  for (const file of files) await link(join(good, file), join(broken, file));
  await linkFaultApp(broken);
  for (const [file, source] of sources) {
    if (file.endsWith('.ts')) await compile(source, file, broken);
    else await replaceFile(join(broken, file), source);
  }
  if ([...sources.keys()].some((file) => !file.endsWith('.ts'))) await embedSources(broken);
}
