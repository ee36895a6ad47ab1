// Makes one file of each process of a fault trial with the library and Nest in it: a trial starts five of them or more, and
// loading a thousand modules is most of what a process costs. Client libraries stay as they are installed.
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './run.mjs';

const MODULES = join(root, 'build/fault-modules/app');
const CLIENTS = ['@mikro-orm', 'mikro-orm', 'better-sqlite3', 'ioredis', 'amqplib', '@aws-sdk'];
/** What Nest asks for, and does without. */
const OPTIONAL = ['@nestjs/microservices', '@nestjs/websockets', 'class-transformer', 'class-validator'];

const isOneOf = (names) => (id) => names.some((name) => id === name || id.startsWith(`${name}/`));

await build({
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    minify: false,
    target: 'node20',
    outDir: join(root, 'build/faults/app'),
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(
        ['worker', 'pusher', 'clock-shift'].map((name) => [name, join(MODULES, `${name}.js`)]),
      ),
      external: isOneOf([...CLIENTS, ...OPTIONAL]),
    },
  },
});
