import { parse } from 'acorn';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../run.mjs';

const lib = join(root, 'dist/lib');
const options = { ecmaVersion: 'latest', sourceType: 'module' };

/** The packages that an application must have: dependencies and required peers. */
async function packages() {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const peers = Object.keys(manifest.peerDependencies);
  const optional = peers.filter((name) => manifest.peerDependenciesMeta?.[name]?.optional === true);
  const required = [
    ...Object.keys(manifest.dependencies),
    ...peers.filter((name) => !optional.includes(name)),
  ];
  const subpaths = Object.keys(manifest.exports).filter((name) => name !== '.' && !name.endsWith('.json'));
  return { required, optional, subpaths: subpaths.map((name) => name.slice(2)) };
}

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const builtFiles = async () =>
  (await readdir(lib, { recursive: true })).filter((file) => file.endsWith('.js'));
const isRelative = (specifier) => specifier.startsWith('.');

const declarationOf = (path) => path.replace(/\.js$/, '.d.ts');

/** Every file that `entry` reaches by relative imports, with the packages that it names. */
async function reach(entry, importsOf, toFile) {
  const named = new Map();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (named.has(file)) continue;
    const specifiers = importsOf(await readFile(file, 'utf8'), file);
    named.set(
      file,
      specifiers
        .filter((specifier) => !isRelative(specifier) && !specifier.startsWith('node:'))
        .map(packageOf),
    );
    waiting.push(...specifiers.filter(isRelative).map((specifier) => toFile(join(dirname(file), specifier))));
  }
  return named;
}

function refuse(named, allowed, what) {
  const wrong = [...named].flatMap(([file, names]) =>
    names.filter((name) => !allowed.includes(name)).map((name) => `${relative(root, file)} names ${name}`),
  );
  if (wrong.length > 0) throw new Error(`${what}: ${wrong.join('; ')}`);
}

/** What a declaration file names: imports, `import('x')` types and type references. */
function declaredImports(text) {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(text, true, true);
  return [...importedFiles, ...typeReferenceDirectives.filter(({ fileName }) => fileName !== 'node')].map(
    ({ fileName }) => fileName,
  );
}

/** No declaration that `.` reaches names an optional peer; those of a subpath name known packages only. */
export async function checkDeclarations() {
  const { required, optional, subpaths } = await packages();
  const main = await reach(join(lib, 'index.d.ts'), declaredImports, declarationOf);
  refuse(main, required, 'the types of "." need more than the required packages');
  for (const subpath of subpaths) {
    const declarations = await reach(join(lib, `${subpath}.d.ts`), declaredImports, declarationOf);
    refuse(
      declarations,
      [...required, ...optional],
      `the types of "./${subpath}" need an undeclared package`,
    );
  }
}

function staticImports(text) {
  return parse(text, options)
    .body.filter(({ type, source }) => /^(Import|Export)/.test(type) && source)
    .map(({ source }) => source.value);
}

function allowedStatically(file, required, optional) {
  if (file.startsWith('backends/') || file.startsWith('contract/')) return [];
  return /^(health|telemetry|bull-board|listeners\/emitter)\b/.test(file)
    ? [...required, ...optional]
    : required;
}

/**
 * Optional peers are imported dynamically by the backends, so that a missing one is an error that names it. A subpath
 * that is made for one peer (./health, ./event-emitter, ./bull-board) may import that one statically.
 */
export async function checkStaticImports() {
  const { required, optional } = await packages();
  const wrong = [];
  for (const file of await builtFiles()) {
    const names = staticImports(await readFile(join(lib, file), 'utf8'))
      .filter((specifier) => !isRelative(specifier) && !specifier.startsWith('node:'))
      .map(packageOf);
    const allowed = allowedStatically(file, required, optional);
    wrong.push(...names.filter((name) => !allowed.includes(name)).map((name) => `${file} imports ${name}`));
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}

/** CommonJS applications, Jest and bundlers cannot take `import.meta` or a top-level await. */
export async function checkSyntax() {
  const wrong = [];
  for (const file of await builtFiles()) {
    const program = parse(await readFile(join(lib, file), 'utf8'), options);
    wrong.push(...refusedSyntax(program, true).map((what) => `${file}: ${what}`));
  }
  if (!existsSync(join(lib, 'index.js'))) wrong.push('dist/lib/index.js does not exist');
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}

function refusedSyntax(node, topLevel) {
  const found = [];
  if (node.type === 'MetaProperty' && node.meta.name === 'import') found.push('import.meta');
  if (topLevel && (node.type === 'AwaitExpression' || node.await === true)) found.push('top-level await');
  const inside = topLevel && !node.type.includes('Function');
  for (const child of Object.values(node).flat()) {
    if (typeof child?.type === 'string') found.push(...refusedSyntax(child, inside));
  }
  return found;
}
