import { findChromium } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { chromium, type Browser } from 'playwright-core';
import { DashboardPage, type PageOptions } from './dashboard-page.js';

/** Opens the dashboard of a service in a window of its own, which is closed with the test. */
export type OpenPage = (origin: string, options?: PageOptions) => Promise<DashboardPage>;

const LAUNCH_TIMEOUT = 120_000;

/**
 * Tests that need a browser. Where there is none they are skipped with the reason, and fail when `CI` is set. A test fails
 * at its end when one of its pages has complained: see {@link DashboardPage.complaints}.
 */
export function describeInBrowser(name: string, tests: (open: OpenPage) => void): void {
  const found = chromiumOr();
  if (found instanceof Error && !process.env.CI) {
    console.warn(`"${name}" is skipped: ${found.message}`);
    describe.skip(name, () => tests(() => Promise.reject(found)));
    return;
  }
  describe(name, () => {
    let browser: Browser | undefined;
    const pages: DashboardPage[] = [];
    beforeAll(async () => {
      if (found instanceof Error) throw found;
      browser = await chromium.launch({
        executablePath: found,
        timeout: LAUNCH_TIMEOUT,
        // Chromium has no sandbox for root.
        chromiumSandbox: process.getuid?.() !== 0,
        args: ['--disable-dev-shm-usage'],
      });
    }, LAUNCH_TIMEOUT + 10_000);
    afterEach(async () => {
      const opened = pages.splice(0);
      await Promise.all(opened.map((page) => page.close()));
      expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
    });
    afterAll(() => browser?.close());
    tests(async (origin, options) => {
      const page = await DashboardPage.open(browser!, origin, options);
      pages.push(page);
      return page;
    });
  });
}

function chromiumOr(): string | Error {
  try {
    return findChromium();
  } catch (error) {
    return error as Error;
  }
}
