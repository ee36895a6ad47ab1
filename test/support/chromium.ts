import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The browser of the tests: `KINETIS_TEST_CHROMIUM`, or the first of its names on the PATH; null without one. */
export function chromiumPath(env = process.env): string | null {
  const given = env['KINETIS_TEST_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const folders = (env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync) ?? null;
}

/** A headless Chromium with a profile of its own, which asks nobody but the tests for anything. Closed with the test. */
export async function startChromium(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  onTestFinished(() => browser.close());
  return browser;
}
