import { findChromium } from '@detector-cluster/dev-services';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

const LAUNCH_TIMEOUT = 120_000;

/**
 * Tests that need browsers. Where there is none they are skipped with the reason, and fail when `CI` is set.
 * @param tests gets a function that returns one of the `count` browsers, each a process of its own; the first is number 0
 */
export function describeWithBrowsers(
  name: string,
  count: number,
  tests: (browser: (number: number) => Browser) => void,
): void {
  const found = chromiumOr();
  if (found instanceof Error && !process.env.CI) {
    console.warn(`"${name}" is skipped: ${found.message}`);
    describe.skip(name, () => tests(() => undefined as never));
    return;
  }
  describe(name, () => {
    const browsers: Browser[] = [];
    beforeAll(async () => {
      if (found instanceof Error) throw found;
      for (let number = 0; number < count; number++) browsers.push(await launch(found));
    }, LAUNCH_TIMEOUT + 10_000);
    afterAll(async () => {
      await Promise.all(browsers.map((browser) => browser.close()));
    });
    tests((number) => browsers[number]!);
  });
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: LAUNCH_TIMEOUT,
    // Chromium has no sandbox for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-dev-shm-usage'],
  });
}

function chromiumOr(): string | Error {
  try {
    return findChromium();
  } catch (error) {
    return error as Error;
  }
}
