import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appRoutes } from '@bull-board/api/dist/routes.js';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { chromiumPath, startChromium } from '../support/chromium.js';
import { sampleFolder, SampleProcess } from '../support/sample-process.js';

const PASSWORD = 'board-test-password';
const executablePath = chromiumPath();
if (executablePath === null) {
  console.warn(
    'skipped in Chromium: there is no chromium on the PATH; install it or set KINETIS_TEST_CHROMIUM',
  );
}

// Processes that start on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

async function startWeb(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly web: SampleProcess; readonly address: string }> {
  const web = new SampleProcess(env, 'dist/main.js');
  return { web, address: await web.printed(/Listening on (http:\S+)/) };
}

function authorization(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

async function statusOf(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { method, headers, redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}

/** Every way into the board that it has, as method and path. */
function boardRoutes(): readonly (readonly [string, string])[] {
  const fill = (route: string) =>
    route
      .replace(':queueName', 'reports')
      .replace(':jobId', 'f'.repeat(32))
      .replace(':queueStatus', 'failed')
      .replace(':schedulerId', 'x');
  const routes = [appRoutes.entryPoint, ...appRoutes.api].flatMap(({ method, route }) =>
    [method]
      .flat()
      .flatMap((each) => [route].flat().map((path) => [each.toUpperCase(), fill(path)] as const)),
  );
  return [...routes, ['GET', '/static/images/logo.svg'], ['GET', ''], ['GET', '/%2e%2e/queues/api/queues']];
}

test('without the password every route of the board answers 401', async () => {
  const { env } = await sampleFolder();
  const { address } = await startWeb({ ...env, SAMPLE_BOARD_PASSWORD: PASSWORD });
  const routes = boardRoutes();
  expect(routes.length).toBeGreaterThan(30);
  const wrong = [
    {},
    authorization('board', 'wrong'),
    authorization('board', ''),
    authorization('x', PASSWORD),
  ];
  for (const headers of wrong) {
    for (const [method, path] of routes) {
      const status = await statusOf(`${address}/queues${path}`, method, headers);
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  }
  expect(await statusOf(`${address}/QUEUES/api/queues`)).toBe(401);
  expect(await statusOf(`${address}/queues/api/queues`, 'GET', authorization('board', PASSWORD))).toBe(200);
  expect(await statusOf(address)).toBe(200);
});

test('without a password of its own the sample makes a new one at each start and prints it', async () => {
  const start = async (): Promise<string> => {
    const { env } = await sampleFolder();
    const { web, address } = await startWeb({ ...env, SAMPLE_BOARD_PASSWORD: '' });
    const password = await web.printed(/^Board .+user board, password (\S{16})\)/m);
    expect(await statusOf(`${address}/queues/api/queues`)).toBe(401);
    expect(await statusOf(`${address}/queues/api/queues`, 'GET', authorization('board', password))).toBe(200);
    return password;
  };
  const [first, second] = await Promise.all([start(), start()]);
  expect(first).not.toBe(second);
});

/** A page that can reach the sample only: the board's style sheet names a server of fonts. */
async function openPage(path: string, address: string): Promise<Page> {
  const browser = await startChromium(path);
  const httpCredentials = { username: 'board', password: PASSWORD };
  const page = await browser.newPage({ httpCredentials, viewport: { width: 1_280, height: 900 } });
  await page.route('**/*', (route) =>
    route.request().url().startsWith(address) ? route.continue() : route.abort(),
  );
  return page;
}

/** For a look at the board: `KINETIS_TEST_SCREENSHOTS` names a folder. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['KINETIS_TEST_SCREENSHOTS'];
  if (folder !== undefined && folder !== '') await page.screenshot({ path: join(folder, `${name}.png`) });
}

test.runIf(executablePath !== null)('in Chromium: a failed job is retried by a click and runs', async () => {
  const { env } = await sampleFolder();
  // A file where a folder has to be: no report can be written.
  const blocked = join(dirname(env['SAMPLE_REPORTS_FILE'] ?? ''), 'blocked');
  await writeFile(blocked, '');
  const all = { ...env, SAMPLE_BOARD_PASSWORD: PASSWORD, SAMPLE_REPORTS_FILE: join(blocked, 'reports.log') };
  expect(await new SampleProcess(all, 'dist/migrate.js').exit()).toBe(0);
  const { address } = await startWeb(all);
  const worker = new SampleProcess(all, 'dist/worker.js', '--queue=mail,reports');
  const body = new URLSearchParams({ month: '2026-11' });
  const pushed = (await (await fetch(`${address}/reports`, { method: 'POST', body })).json()) as {
    job: string;
  };
  await worker.printed(/failed BuildReport/);

  const page = await openPage(executablePath ?? '', address);
  await page.goto(`${address}/queues`);
  await page.getByRole('link', { name: 'reports' }).first().click();
  await page.getByRole('link', { name: 'Failed' }).click();
  await page.getByText(pushed.job).waitFor();
  await page.getByText('EEXIST').first().waitFor();
  await screenshot(page, 'failed');

  await rm(blocked);
  await mkdir(blocked);
  // The button on the job has no name, only an icon; the one above the list says "Retry all".
  await page.locator('button:has(svg.lucide-refresh-cw)').filter({ hasNotText: /\S/ }).click();
  await page.getByText('Are you sure that you want to retry this job?').waitFor();
  await screenshot(page, 'confirm');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await worker.printed(/ran BuildReport from "reports"/);
  await page.getByText('No failed jobs in this queue.').waitFor();
  await screenshot(page, 'retried');
  expect(await readFile(all.SAMPLE_REPORTS_FILE, 'utf8')).toBe('2026-11: 0 registrations\n');
});
