// npm run house: how large the files and functions of lib/ are, and which rooms import which.
//   --json     the same as data
//   --most=N   how many of the largest to name (8)
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { root } from './run.mjs';

const { values } = parseArgs({ options: { json: { type: 'boolean' }, most: { type: 'string' } } });
const most = Number(values.most ?? 8);
const lib = join(root, 'lib');

const files = readdirSync(lib, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.generated.ts'))
  .map((entry) => join(entry.parentPath, entry.name));

/** The room of a file: the first folder below lib/, or the backend's own folder; "." for the subpaths' entries. */
function roomOf(file) {
  const [first, second, third] = relative(lib, file).split('/');
  if (second === undefined) return '.';
  return first === 'backends' && third !== undefined ? `backends/${second}` : first;
}

const isFunction = (node) =>
  (ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node)) &&
  node.body !== undefined;

function nameOf(node) {
  if (node.name !== undefined) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : '(anonymous)';
}

const linesOf = (source, node) =>
  source.getLineAndCharacterOfPosition(node.getEnd()).line -
  source.getLineAndCharacterOfPosition(node.getStart()).line +
  1;

const functions = [];
const imports = new Map();

function read(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const from = roomOf(file);
  const visit = (node) => {
    if (isFunction(node)) {
      functions.push({ name: `${relative(root, file)} ${nameOf(node)}`, lines: linesOf(source, node) });
    }
    const specifier =
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier?.text;
    if (typeof specifier === 'string' && specifier.startsWith('.')) {
      const to = roomOf(join(dirname(file), specifier.replace(/\.js$/, '.ts')));
      const pair = `${from} -> ${to}`;
      if (from !== to) imports.set(pair, (imports.get(pair) ?? 0) + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { name: relative(root, file), lines: text.split('\n').length - 1 };
}

/** Lines at the middle, at nine tenths and at the end of the sorted sizes, and the largest by name. */
function sizes(items) {
  const sorted = items.toSorted((a, b) => a.lines - b.lines);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].lines;
  return {
    count: sorted.length,
    median: at(0.5),
    p90: at(0.9),
    max: at(1),
    largest: sorted.slice(-most).toReversed(),
  };
}

const report = {
  files: sizes(files.map(read)),
  functions: sizes(functions),
  imports: Object.fromEntries([...imports].sort(([a], [b]) => a.localeCompare(b))),
};

function print(title, { count, median, p90, max, largest }) {
  console.log(`${title}: ${count}, lines at the median ${median}, p90 ${p90}, max ${max}`);
  for (const { name, lines } of largest) console.log(`  ${String(lines).padStart(4)}  ${name}`);
}

if (values.json === true) {
  console.log(JSON.stringify(report, null, 2));
} else {
  print('Files', report.files);
  print('Functions', report.functions);
  console.log('Imports between rooms:');
  for (const [pair, count] of Object.entries(report.imports)) {
    console.log(`  ${String(count).padStart(4)}  ${pair}`);
  }
}
