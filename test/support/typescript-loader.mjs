// Lets `node --import <this file> child.ts` run the sources as they are, for tests that need a process of their own.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// The hooks run in a thread of their own, which loads this module again.
if (isMainThread) register(import.meta.url);

const compilerOptions = { target: 9, module: 99, experimentalDecorators: true, emitDecoratorMetadata: true };

const ownPackage = /^@kinetis\/nestjs-queue(?:\/(.+))?$/;

export async function resolve(specifier, context, next) {
  const own = ownPackage.exec(specifier);
  if (own !== null)
    return { url: new URL(`../../lib/${own[1] ?? 'index'}.ts`, import.meta.url).href, shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL !== undefined) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { default: typescript } = await import('typescript');
  const text = await readFile(fileURLToPath(url), 'utf8');
  const { outputText } = typescript.transpileModule(text, { compilerOptions, fileName: fileURLToPath(url) });
  return { format: 'module', source: outputText, shortCircuit: true };
}
