import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../support/eventually.js';
import { TcpProxy, type TcpProxyOptions } from '../../support/tcp-proxy.js';

/** A server that answers each chunk with its text in capitals, and remembers what it heard. */
class Shouter {
  heard = '';
  readonly ends = new Set<Socket>();
  readonly #server = createServer((end) => {
    this.ends.add(end);
    end.on('error', () => undefined);
    end.on('close', () => this.ends.delete(end));
    end.on('data', (chunk) => {
      this.heard += String(chunk);
      end.write(String(chunk).toUpperCase());
    });
  });

  async listen(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const end of this.ends) end.destroy();
  }
}

/** A client, and what came back to it. */
class Caller {
  came = '';
  chunks = 0;
  closed = false;

  constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('close', () => (this.closed = true));
    socket.on('data', (chunk) => {
      this.came += String(chunk);
      this.chunks += 1;
    });
  }

  async says(text: string): Promise<void> {
    this.socket.write(text);
    await waitFor(`an answer to "${text}"`, () => this.came.includes(text.toUpperCase()));
  }
}

async function wired(options: Partial<TcpProxyOptions> = {}) {
  const server = new Shouter();
  const port = await server.listen();
  const wire = await TcpProxy.open({ host: '127.0.0.1', port, ...options });
  onTestFinished(async () => {
    await wire.close();
    server.close();
  });
  const callAt = async (at: number, text: string): Promise<Caller> => {
    const caller = new Caller(connect(at, '127.0.0.1'));
    onTestFinished(() => void caller.socket.destroy());
    await caller.says(text);
    return caller;
  };
  return {
    server,
    wire,
    call: () => callAt(wire.port, 'hello'),
    /** Says something to the server itself. */
    direct: (text: string) => callAt(port, text),
  };
}

const reader = () => (chunk: Buffer) => {
  const purpose = String(chunk).startsWith('push') ? 'push' : 'settlement';
  return { writes: true, commits: true, purpose } as const;
};

describe('a wire', () => {
  it.each(['close', 'stay'] as const)(
    'that is half open, server ends %s: carries nothing, tells the client nothing, and lets new connections through',
    async (serverEnds) => {
      const { server, wire, call } = await wired();
      const dead = await call();
      wire.halfOpen(serverEnds);
      dead.socket.write('anybody');
      const fresh = await call();
      await fresh.says('again');
      if (serverEnds === 'close') await waitFor('the server to hear of it', () => server.ends.size === 1);
      else expect(server.ends.size).toBe(2);
      expect(server.heard).toBe('hellohelloagain');
      expect([dead.closed, dead.came]).toEqual([false, 'HELLO']);
      expect(wire.connections).toBe(1);
      dead.socket.destroy();
      await fresh.says('still here');
      if (serverEnds === 'stay') expect(server.ends.size).toBe(2);
      wire.heal();
      await waitFor('the server to have one connection', () => server.ends.size === 1);
      await fresh.says('after all');
    },
  );

  it('that was half open and heals cuts the client that still waits', async () => {
    const { wire, call } = await wired();
    const dead = await call();
    wire.halfOpen('stay');
    wire.heal();
    await waitFor('the client to be cut', () => dead.closed);
  });

  it('that is slow carries everything, in order and in pieces, and at once when it heals', async () => {
    const { server, wire, call, direct } = await wired();
    const caller = await call();
    // Slow enough that a busy reader does not find all pieces at once.
    wire.slow({ delayMs: 1, bytesPerSecond: 200, pieceBytes: 3 });
    const before = caller.chunks;
    await caller.says('the quick brown fox');
    expect(caller.chunks - before).toBeGreaterThan(1);
    wire.slow({ delayMs: 60_000, bytesPerSecond: 1, pieceBytes: 3 });
    caller.socket.write('later');
    await direct(' meanwhile ');
    expect(server.heard).not.toContain('later');
    wire.heal();
    await caller.says(' and soon');
    expect(server.heard).toBe('hellothe quick brown fox meanwhile later and soon');
  });

  it('that drops answers lets requests through, and the client is cut when it heals', async () => {
    const { server, wire, call } = await wired();
    const caller = await call();
    wire.dropAnswers();
    caller.socket.write('done');
    await waitFor('the server to have it', () => server.heard.includes('done'));
    expect([caller.came, caller.closed]).toEqual(['HELLO', false]);
    wire.heal();
    await waitFor('the client to be cut', () => caller.closed);
    expect(caller.came).toBe('HELLO');
  });

  it('loses the answer to a request for one purpose, and no other', async () => {
    const { server, wire, call } = await wired({ reader });
    const [pusher, worker] = [await call(), await call()];
    const lost = wire.lose('answer', { purpose: 'push' });
    await worker.says('settle one');
    pusher.socket.write('push one');
    await lost;
    await waitFor('the pusher to be cut', () => pusher.closed);
    expect(server.heard).toContain('push one');
    expect(pusher.came).toBe('HELLO');
    await worker.says('settle two');
  });

  it('that loses an answer silently keeps the connection, which carries requests and no answers', async () => {
    const { server, wire, call } = await wired({ reader });
    const caller = await call();
    const lost = wire.lose('answer', { purpose: 'push', silently: true });
    caller.socket.write('push one');
    await lost;
    caller.socket.write('push two');
    await waitFor('the server to have both', () => server.heard.includes('push two'));
    expect([caller.came, caller.closed]).toEqual(['HELLO', false]);
  });

  it('with a reader of answers loses the answer, and passes on what comes before it', async () => {
    const answers = () => (chunk: Buffer) => String(chunk).includes('!');
    const { wire, call } = await wired({ reader, answers });
    const caller = await call();
    const lost = wire.lose('answer');
    await caller.says('chatter');
    caller.socket.write('push!');
    await lost;
    await waitFor('the caller to be cut', () => caller.closed);
    expect(caller.came).toBe('HELLOCHATTER');
  });

  it('loses one answer, when two are under way on two connections', async () => {
    const { server, wire, call } = await wired({ reader });
    const callers = [await call(), await call()];
    const lost = wire.lose('answer', { purpose: 'push' });
    for (const caller of callers) caller.socket.write('push');
    await lost;
    await waitFor('the server to have both', () => server.heard.endsWith('pushpush'));
    await waitFor('one answer', () => callers.some(({ came }) => came === 'HELLOPUSH'));
    expect(callers.filter(({ came }) => came === 'HELLO')).toHaveLength(1);
  });
});
