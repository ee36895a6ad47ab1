import { describe, expect, it, vi } from 'vitest';
import type { SqlDialect } from '../../lib/backends/sql/dialects/sql-dialect.js';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import type { SqlGate } from '../../lib/backends/sql/sql-gate.js';
import { SqlReceipt } from '../../lib/backends/sql/sql-receipt.js';
import type { Receipt, ReservedItem, SettleOutcome } from '../../lib/contract/index.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { isTested } from '../support/servers.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { driverNamed, newDatabase, openServerOrm } from '../support/sql-servers.js';

function seqOf(item: ReservedItem | undefined): number {
  if (item === undefined) throw new Error('Expected a delivery, came none.');
  return (item.receipt as SqlReceipt).seq;
}

describe.runIf(isTested('postgres'))('an ack and the reserve that is asked for in the same turn', () => {
  /** A connected backend, a queue that holds jobs, and the steps that the backend runs from then on. */
  async function opened(count = 2) {
    const driver = driverNamed('postgresql');
    const orm = await openServerOrm(driver, await newDatabase(driver));
    await migrateSqlQueue(orm);
    const backend = await openBackend({ orm });
    await backend.connect();
    const queue = 'mail';
    if (count > 0) await backend.store(Array.from({ length: count }, () => newJob({ queue })));
    const ack = async (receipt: Receipt | undefined): Promise<SettleOutcome | undefined> =>
      (await backend.settle([{ operation: 'ack', receipt, followUps: [] }]))[0];
    const next = (limit = 1) => backend.reserve([queue], limit);
    return { backend, queue, ack, next, ran: await stepsOf(backend) };
  }

  async function dialectOf(backend: SqlBackend): Promise<SqlDialect> {
    const { gate } = Reflect.get(backend, 'parts') as { readonly gate: SqlGate };
    return (await gate.database()).dialect;
  }

  async function stepsOf(backend: SqlBackend): Promise<string[]> {
    const dialect = await dialectOf(backend);
    const ran: string[] = [];
    for (const step of ['settle', 'reserve', 'next'] as const) {
      const run = dialect[step] as (...args: unknown[]) => unknown;
      Object.assign(dialect, {
        [step]: (...args: unknown[]) => {
          ran.push(step);
          return run(...args);
        },
      });
    }
    return ran;
  }

  it('are one step', async () => {
    const { backend, queue, ack, next, ran } = await opened(3);
    const [one, two] = await next(2);
    const acked = Promise.all([ack(one?.receipt), ack(two?.receipt)]);
    expect(await next(2)).toHaveLength(1);
    expect(await acked).toEqual([{ status: 'applied' }, { status: 'applied' }]);
    expect(ran).toEqual(['reserve', 'next']);
    expect(await backend.count(queue)).toMatchObject({ ready: 0, reserved: 1 });
  });

  it('are one step too where the reserve comes some promises later', async () => {
    const { ack, next, ran } = await opened();
    const [one] = await next();
    const acked = ack(one?.receipt);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(await next()).toHaveLength(1);
    expect(await acked).toEqual({ status: 'applied' });
    expect(ran).toEqual(['reserve', 'next']);
  });

  it('are one step where the acks come while another reserve is under way', async () => {
    const { ack, next, ran } = await opened(3);
    const [one] = await next();
    const underWay = next();
    const acked = ack(one?.receipt);
    expect(await underWay).toHaveLength(1);
    expect(await next()).toHaveLength(1);
    expect(await acked).toEqual({ status: 'applied' });
    expect(ran).toEqual(['reserve', 'reserve', 'next']);
  });

  it('do not wait for a reserve that does not come back', async () => {
    const { backend, ack, next } = await opened();
    const [one] = await next();
    const dialect = await dialectOf(backend);
    let end = (): void => undefined;
    const stuck = new Promise<void>((resolve) => (end = resolve));
    vi.spyOn(dialect, 'reserve').mockImplementationOnce(() => stuck.then(() => []));
    const underWay = next();
    expect(await ack(one?.receipt)).toEqual({ status: 'applied' });
    end();
    await underWay;
  });

  it('are answered each for itself', async () => {
    const { queue, ack, next } = await opened(3);
    const [one] = await next();
    expect(await ack(one?.receipt)).toEqual({ status: 'applied' });
    const stale = new SqlReceipt(seqOf(one), 'another', queue);
    const acked = Promise.all([ack(one?.receipt), ack(stale)]);
    const [two] = await next();
    expect(await acked).toEqual([{ status: 'stale' }, { status: 'stale' }]);
    const ofAnother = new SqlReceipt(seqOf(two), 'another', queue);
    const foreign = ack(ofAnother);
    expect(await next()).toHaveLength(1);
    expect(await foreign).toEqual({ status: 'stale' });
    expect(await ack(two?.receipt)).toEqual({ status: 'applied' });
  });

  it('acknowledge on a queue that is paused, for good', async () => {
    const { backend, queue, ack, next } = await opened();
    const [one] = await next();
    await backend.pauseQueue(queue);
    const acked = ack(one?.receipt);
    expect(await next()).toEqual([]);
    expect(await acked).toEqual({ status: 'applied' });
    expect(await backend.count(queue)).toMatchObject({ ready: 1, reserved: 0 });
  });

  it('acknowledge where nothing is left to reserve', async () => {
    const { backend, queue, ack, next } = await opened(1);
    const [one] = await next();
    const acked = ack(one?.receipt);
    expect(await next()).toEqual([]);
    expect(await acked).toEqual({ status: 'applied' });
    expect(await backend.count(queue)).toMatchObject({ ready: 0, reserved: 0 });
  });

  it('acknowledge although the step is refused', async () => {
    const { backend, ack, next, ran } = await opened();
    const [one] = await next();
    const dialect = await dialectOf(backend);
    Object.assign(dialect, { next: () => Promise.reject(new RangeError('a defect')) });
    const acked = ack(one?.receipt);
    await expect(next()).rejects.toThrow('a defect');
    expect(await acked).toEqual({ status: 'applied' });
    expect(ran).toEqual(['reserve', 'settle']);
  });

  it('do not take a release along, and the reserve comes behind it', async () => {
    const { backend, next, ran } = await opened(1);
    const [one] = await next();
    const released = backend.settle([
      { operation: 'release', receipt: one?.receipt, changes: {}, delaySeconds: 0 },
    ]);
    expect(await next()).toHaveLength(1);
    expect(await released).toEqual([{ status: 'applied' }]);
    expect(ran).toEqual(['reserve', 'settle', 'reserve']);
  });

  it('do not take an ack along that stores what follows it', async () => {
    const { backend, queue, next, ran } = await opened(1);
    const [one] = await next();
    const settled = backend.settle([
      { operation: 'ack', receipt: one?.receipt, followUps: [newJob({ queue })] },
    ]);
    expect(await next()).toHaveLength(1);
    expect(await settled).toEqual([{ status: 'applied' }]);
    expect(ran).toEqual(['reserve', 'settle', 'reserve']);
  });

  it('find what falls due while a queue gives all that it is asked for', async () => {
    const { backend, queue, ack, next } = await opened(300);
    const late = newJob({ queue, priority: 5, delaySeconds: 0.2 });
    await backend.store([late]);
    for (let found = false; !found;) {
      const [item] = await next();
      expect(item).toBeDefined();
      found = item?.header?.priority === 5;
      void ack(item?.receipt);
    }
  });
});
