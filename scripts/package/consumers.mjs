import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from '../run.mjs';

const greeting = 'Ada 2026-01-02T03:04:05.678Z attempt 1';

async function must(what, command, args, cwd) {
  const { code, output } = await run(command, args, { cwd, capture: true });
  if (code !== 0) throw new Error(`${what} failed with ${code}:\n${output.trimEnd().slice(-4_000)}`);
  return output;
}

/** An application outside of the project, in which the tarball is installed like any package. */
export async function install(name, { tarball }, folder) {
  const place = join(folder, name);
  await mkdir(place, { recursive: true });
  await cp(join(root, 'test/package', name), place, { recursive: true });
  if (name !== 'bare') await cp(join(root, 'test/package/app'), join(place, 'src'), { recursive: true });
  await must(
    'npm install',
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball],
    place,
  );
  return place;
}

/** With the required peers alone, the main entry loads. */
export async function checkBareImport(place) {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const optional = Object.keys(manifest.peerDependenciesMeta);
  const script = `
    import { createRequire } from 'node:module';
    const require = createRequire(process.cwd() + '/x.js');
    const present = ${JSON.stringify(optional)}.filter((name) => {
      try { require.resolve(name + '/package.json'); return true; } catch (error) { return error.code !== 'MODULE_NOT_FOUND'; }
    });
    if (present.length > 0) throw new Error('optional peers are installed here: ' + present);
    const { KinetisQueueModule } = await import('@kinetis/nestjs-queue');
    if (typeof KinetisQueueModule !== 'function') throw new Error('KinetisQueueModule is not exported');`;
  await must(
    "import '@kinetis/nestjs-queue'",
    process.execPath,
    ['--input-type=module', '-e', script],
    place,
  );
}

/** The application compiles against the package's types and runs a job. */
export async function checkApplication(place) {
  await must('tsc', process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], place);
  const output = await must('the application', process.execPath, ['out/main.js'], place);
  if (!output.includes(greeting)) throw new Error(`expected "${greeting}"; got "${output.trim()}"`);
}

/** The application's Jest test passes. */
export async function checkJest(place) {
  await must('jest', process.execPath, ['node_modules/jest/bin/jest.js', '--ci'], place);
}

/** The command that the package brings: npm links it, and without an optional peer it says what to install. */
export async function checkCommand(place) {
  const command = join(place, 'node_modules/.bin/kinetis-queue');
  const help = await must('kinetis-queue --help', command, ['--help'], place);
  if (!/^ {2}stats /m.test(help)) throw new Error(`expected a list of commands; got "${help.trim()}"`);
  const env = { ...process.env, QUEUE_CONNECTION: 'sql', DB_DATABASE: 'queue.sqlite' };
  const { code, output } = await run(command, ['stats'], { cwd: place, env, capture: true });
  if (code !== 64 || !output.includes('npm install @mikro-orm/core')) {
    throw new Error(`expected 64 and what to install; got ${code}, "${output.trim()}"`);
  }
}
