// A CPU profile of a part of this process, when KINETIS_BENCH_PROFILE names a folder.
import { Session } from 'node:inspector/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Starts to profile; answers how to stop, which writes `<name>.cpuprofile`. */
export async function startProfile(name, folder = process.env.KINETIS_BENCH_PROFILE) {
  if (folder === undefined) return async () => {};
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
    session.disconnect();
  };
}
