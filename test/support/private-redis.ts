import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { waitFor } from './eventually.js';
import { freePort } from './server-child.js';
import { temporaryFolder } from './sqlite-queue.js';

/** Different ports that nobody listens at. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** A Redis of a test's own, on a port and a folder of its own. It keeps its port when it is started again. */
export class PrivateRedis {
  private child: ChildProcess | null = null;
  private readonly folder = temporaryFolder();

  constructor(
    readonly port: number,
    /** Options of redis-server, such as `--appendonly yes`. */
    private readonly options: readonly string[] = [],
  ) {}

  static async start(options: readonly string[] = []): Promise<PrivateRedis> {
    const [port = 0] = await freePorts(1);
    const redis = new PrivateRedis(port, options);
    try {
      await redis.start();
    } catch (error) {
      await redis.remove();
      throw error;
    }
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const fixed = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder.path,
      '--save',
      '',
    ];
    this.child = spawn('redis-server', [...fixed, ...this.options], { stdio: 'ignore' });
    await waitFor('the private Redis to answer', async () => {
      const client = new Redis(this.port, { lazyConnect: true, retryStrategy: null });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return true;
      } catch {
        return false;
      } finally {
        client.disconnect();
      }
    });
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Stops it where it is: its connections stay open, and nobody answers. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  /** Lets it go on. */
  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** null while it does not run. */
  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  async remove(): Promise<void> {
    await this.kill();
    this.folder.remove();
  }
}
