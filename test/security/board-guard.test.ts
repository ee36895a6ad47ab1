import { appRoutes } from '@bull-board/api/dist/routes.js';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Handle, Job, KinetisQueueModule, memory, provideJobs, Queue, QueueAdmin } from '../../lib/index.js';
import { mountBoard } from '../../sample/board/mount-board.js';

const PASSWORD = 'guard-test-password';
const SHOWN = 'shown-by-the-board-9001';

@Job({ queue: 'guarded' })
class Wait {
  constructor(readonly text: string) {}

  @Handle()
  handle(): void {}
}

@Module({
  imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
  providers: [...provideJobs(Wait)],
})
class AppModule {}

let app: INestApplication;
let port = 0;
beforeAll(async () => {
  app = await NestFactory.create(AppModule, { logger: false });
  mountBoard(app, PASSWORD);
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
  await app.get(Queue).push(new Wait(SHOWN), { delaySeconds: 3_600 });
});
afterAll(() => app.close());

/** Sends a request line as it is: no client tidies its path up. */
async function raw(line: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  const lines = Object.entries({ Host: 'board', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  return answer;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function routes(): readonly string[] {
  const fill = (route: string): string =>
    route.replace(/:queueStatus/, 'delayed').replace(/:\w+/g, 'default:guarded');
  const api = [appRoutes.entryPoint, ...appRoutes.api].flatMap(({ route }) => [route].flat().map(fill));
  return [...new Set([...api, '/static/js/main.js', '/static/images/logo.svg', '/static/../api/queues'])];
}

/** Spellings of a path that a guard and a router could read differently. */
function spellings(path: string): readonly string[] {
  return [
    `/queues${path}`,
    `/queues/${path}`,
    `//queues${path}`,
    `/./queues${path}`,
    `/x/../queues${path}`,
    `/x/%2e%2e/queues${path}`,
    `/queues/%2e%2e/queues${path}`,
    `/queues/%2e${path}`,
    `/queues%2f${path}`,
    `/QUEUES${path}`,
    `/Queues${path}`,
    `/%71ueues${path}`,
    `/queues.${path}`,
    `/queues;x=y${path}`,
    `/queues%00${path}`,
    `/queues%20${path}`,
    `/queues\\${path}`,
    `/queues?${path}`,
    `/queues${path}?x=/..`,
    `/queues${path}/`,
    `/queues${path.replaceAll('/', '//')}`,
    `http://board/queues${path}`,
    `http://user:x@board/queues${path}`,
  ];
}

const TRICKS: readonly Readonly<Record<string, string>>[] = [
  {},
  { Authorization: 'Basic' },
  { Authorization: 'Basic Og==' },
  { Authorization: `Bearer ${Buffer.from(`board:${PASSWORD}`).toString('base64')}` },
  { Authorization: `Basic ${Buffer.from(`board:${PASSWORD}x`).toString('base64')}` },
  { Authorization: `Basic ${Buffer.from(`board:${PASSWORD}\0`).toString('base64')}` },
  { Authorization: `Basic ${Buffer.from('__proto__:x').toString('base64')}` },
  {
    'X-HTTP-Method-Override': 'GET',
    'X-Original-URL': '/queues',
    'X-Rewrite-URL': '/queues',
    'X-Forwarded-User': 'board',
  },
];

function expectNothing(answer: string, asked: string): void {
  const [status = ''] = answer.split('\r\n', 1);
  expect([asked, /^HTTP\/1\.1 (400|401|404)/.test(status) ? 'refused' : status]).toEqual([asked, 'refused']);
  expect(answer).not.toContain(SHOWN);
  expect(answer).not.toMatch(/bull-?board|__basePath/i);
}

test('with the password the board is there, so that its absence would be noticed', async () => {
  const headers = { Authorization: `Basic ${Buffer.from(`board:${PASSWORD}`).toString('base64')}` };
  expect(await raw('GET /queues/', headers)).toMatch(/^HTTP\/1\.1 200/);
  const [queue] = JSON.parse(
    (await raw('GET /queues/api/queues', headers))
      .replace(/^[\s\S]*?\r\n\r\n[0-9a-f]*\s*/, '')
      .replace(/\r\n0\r\n[\s\S]*$/, ''),
  ).queues as { name: string }[];
  const shown = await raw(
    `GET /queues/api/queues?activeQueue=${encodeURIComponent(queue?.name ?? '')}&status=delayed`,
    headers,
  );
  expect(shown).toContain(SHOWN);
});

test('without it no route answers, whatever the method', async () => {
  for (const method of METHODS)
    for (const path of routes()) expectNothing(await raw(`${method} /queues${path}`), `${method} ${path}`);
});

test('no spelling of a path gets past the guard', async () => {
  for (const path of ['', '/', '/api/queues', '/static/js/main.js']) {
    for (const spelling of spellings(path)) expectNothing(await raw(`GET ${spelling}`), spelling);
  }
});

test('no header opens it but the right one', async () => {
  for (const headers of TRICKS)
    expectNothing(await raw('GET /queues/api/queues', headers), JSON.stringify(headers));
});

test('nothing of all that has changed a job', async () => {
  const { browse } = await app.resolve(QueueAdmin);
  const { jobs } = await browse.list({ queue: 'guarded', state: 'delayed' });
  expect(jobs.map(({ job }) => job?.args['text'])).toEqual([SHOWN]);
});
