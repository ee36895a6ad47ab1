import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const lib = fileURLToPath(new URL('./lib', import.meta.url));

export default defineConfig({
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: [
      { find: /^@kinetis\/nestjs-queue$/, replacement: `${lib}/index.ts` },
      { find: /^@kinetis\/nestjs-queue\/(.+)$/, replacement: `${lib}/$1.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // That leg has its own Node and its own runner.
    exclude: [...configDefaults.exclude, 'test/node24/**'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Test files share the modules that their process has loaded: importing Nest and the ORM anew for each of them took
    // as long as the tests. A file that registers something for the process has to take it back.
    isolate: false,
    // More than cores: many tests wait for servers, processes and leases.
    maxWorkers: 3,
    // The conformance suite where time is real: its cases mostly wait.
    maxConcurrency: 16,
  },
});
