import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { expect, test } from 'vitest';
import { memory } from '../../lib/index.js';
import { migrateSqlQueue, sql } from '../../lib/sql.js';
import { drain } from '../../lib/testing.js';
import { temporaryFolder } from '../support/sqlite-queue.js';
import { Archive, Charge, Journal, mail, Shop, shopWith } from './shop.js';

test('drain() works what a database holds, delayed jobs and retries by their times', async () => {
  const folder = temporaryFolder();
  const connection = { driver: 'sqlite', file: join(folder.path, 'test.sqlite') } as const;
  await migrateSqlQueue(connection);
  const shop = shopWith({ default: sql({ connection }), ledger: memory() });
  const app = await Test.createTestingModule(shop).compile();
  try {
    app.useLogger(false);
    const { queue } = app.get(Shop);
    await queue.push(new Archive(2), { delaySeconds: 3_000 });
    await queue.push(new Charge(500), { delaySeconds: 5 });
    await queue.chain([mail(), new Archive(1)]);
    expect((await drain(app)).map(({ job }) => job)).toEqual(['SendMail', 'Archive']);
    const later = await drain(app, { delayed: true });
    expect(later.map(({ job, outcome }) => `${job} ${outcome}`)).toEqual([
      'Charge released',
      'Charge released',
      'Charge failed',
      'Archive acked',
    ]);
    expect(app.get(Journal).lines).toContain('gave up: order 500 broke');
    expect(await queue.counts('default')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 1 });
  } finally {
    await app.close();
    folder.remove();
  }
});
