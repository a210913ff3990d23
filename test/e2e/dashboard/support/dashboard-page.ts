import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { TIMEOUT } from '../../support/cluster.js';
import { watchForComplaints } from '../../support/page-complaints.js';

export interface PageOptions {
  /** Default `overview`. */
  readonly route?: string;
  /** What the machine prefers. Default `light`. */
  readonly theme?: 'light' | 'dark';
  /** CSS pixels. Default 1280. */
  readonly width?: number;
  /** Time zone of the machine, e.g. `Asia/Kolkata`. Default: that of the test. */
  readonly timeZone?: string;
  /** Complaints that the test expects, e.g. those of the browser about an unavailable service. */
  readonly expected?: readonly RegExp[];
  /** Whether to wait until the cluster is shown. Default true. */
  readonly live?: boolean;
}

const HEIGHT = 860;

/** The dashboard in a window of its own, with what can be seen and pressed there by name. */
export class DashboardPage {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    /** What must not happen on any page. */
    readonly complaints: readonly string[],
  ) {}

  static async open(browser: Browser, origin: string, options: PageOptions = {}): Promise<DashboardPage> {
    const {
      route = 'overview',
      theme = 'light',
      width = 1_280,
      expected = [],
      live = true,
      timeZone,
    } = options;
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height: HEIGHT },
      reducedMotion: 'reduce',
      ...(timeZone !== undefined && { timezoneId: timeZone }),
    });
    context.setDefaultTimeout(TIMEOUT);
    const page = await context.newPage();
    const complaints = await watchForComplaints(page, origin, expected);
    const dashboard = new DashboardPage(context, page, complaints);
    await page.goto(`${origin}/#/${route}`);
    if (live) await dashboard.untilLive();
    return dashboard;
  }

  /** The page shows the cluster as it is now. */
  async untilLive(): Promise<void> {
    await this.page.getByText('Live', { exact: true }).waitFor();
  }

  /** The charts are drawn. They move what is below them, and a click on something that moves can miss it. */
  async untilCharts(): Promise<void> {
    await this.page.locator('.history-chart canvas').first().waitFor();
  }

  /** Holds back the answers to questions at these addresses, until the returned function is called. */
  async holdBack(...patterns: readonly string[]): Promise<() => void> {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    for (const pattern of patterns)
      await this.page.route(pattern, async (question) => {
        await released;
        await question.continue();
      });
    return release;
  }

  async goTo(route: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
  }

  /** @param url of the worker, as the cluster knows it */
  worker(url: string): Locator {
    return this.page.getByRole('article', { name: new URL(url).host, exact: true });
  }

  /** The row of a backend process; `name` is its identifier. */
  process(name: string): Locator {
    return this.page
      .locator('.processes tbody tr')
      .filter({ has: this.page.getByText(name, { exact: true }) });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Where results of actions appear. */
  get results(): Locator {
    return this.page.locator('.toasts');
  }

  get banners(): Locator {
    return this.page.locator('.banners');
  }

  /** Presses a button, and in the dialog that asks, the one that goes ahead. */
  async act(button: string, confirm: string): Promise<void> {
    await this.button(button).click();
    await this.confirm(confirm);
  }

  async confirm(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Resolves when `locator` shows `text`. */
  async shows(locator: Locator, text: string | RegExp): Promise<void> {
    await locator.filter({ hasText: text }).first().waitFor();
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
