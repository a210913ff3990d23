import { afterEach, expect } from 'vitest';
import { describeWithBrowsers } from '../../support/describe-with-browsers.js';
import { DashboardPage, type PageOptions } from './dashboard-page.js';

/** Opens the dashboard of a service in a window of its own, which is closed with the test. */
export type OpenPage = (origin: string, options?: PageOptions) => Promise<DashboardPage>;

/** Tests that need a browser. A test fails at its end when one of its pages has complained: see {@link DashboardPage.complaints}. */
export function describeInBrowser(name: string, tests: (open: OpenPage) => void): void {
  describeWithBrowsers(name, 1, (browser) => {
    const pages: DashboardPage[] = [];
    tests(async (origin, options) => {
      const page = await DashboardPage.open(browser(0), origin, options);
      pages.push(page);
      return page;
    });
    // The hook that is defined last runs first: pages close before the services of the tests stop.
    afterEach(async () => {
      const opened = pages.splice(0);
      await Promise.all(opened.map((page) => page.close()));
      expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
    });
  });
}
