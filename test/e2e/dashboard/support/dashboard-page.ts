import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { PATIENCE } from '../../support/cluster.js';

export interface PageOptions {
  /** Default `overview`. */
  readonly route?: string;
  /** What the machine prefers. Default `light`. */
  readonly theme?: 'light' | 'dark';
  /** CSS pixels. Default 1280. */
  readonly width?: number;
  /** Complaints that the test expects, e.g. those of the browser about an unavailable service. */
  readonly expected?: readonly RegExp[];
  /** Whether to wait until the cluster is shown. Default true. */
  readonly live?: boolean;
}

const HEIGHT = 860;

/** Reported by the browser itself, before any script of the page runs. */
const WATCH_POLICY = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('content security policy: ' + violatedDirective + ' ' + blockedURI))`;

/** Notes when the first worker was in the document, in milliseconds since the navigation began. */
const NOTE_FIRST_WORKER = `new MutationObserver((_, observer) => {
  if (document.querySelector('article') === null) return;
  window.firstWorkerAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })`;

/** The dashboard in a window of its own, with what can be seen and pressed there by name. */
export class DashboardPage {
  /**
   * What must not happen on any page: warnings and errors on the console, uncaught errors, violations of the content
   * security policy, dialogs of the browser, and requests to other servers than the service.
   */
  readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly origin: string,
  ) {}

  static async open(browser: Browser, origin: string, options: PageOptions = {}): Promise<DashboardPage> {
    const { route = 'overview', theme = 'light', width = 1_280, expected = [], live = true } = options;
    const context = await browser.newContext({
      colorScheme: theme,
      viewport: { width, height: HEIGHT },
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(WATCH_POLICY);
    await context.addInitScript(NOTE_FIRST_WORKER);
    const page = await context.newPage();
    const dashboard = new DashboardPage(context, page, origin);
    dashboard.watch(expected);
    await page.goto(`${origin}/#/${route}`);
    if (live) await dashboard.untilLive();
    return dashboard;
  }

  /** The page shows the cluster as it is now. */
  async untilLive(): Promise<void> {
    await this.page.getByText('Live', { exact: true }).waitFor();
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

  private watch(expected: readonly RegExp[]): void {
    const complain = (text: string) => {
      if (!expected.some((pattern) => pattern.test(text))) this.complaints.push(text);
    };
    const { page } = this;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complain(`console ${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`));
    page.on('dialog', (dialog) => {
      complain(`a dialog of the browser: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const { host } = new URL(this.origin);
    const check = (asked: { url(): string }) => {
      const url = asked.url();
      if (!/^(data|blob):/.test(url) && new URL(url).host !== host)
        complain(`a request to another host: ${url}`);
    };
    page.on('request', check);
    page.on('websocket', check);
  }
}

/** Messages of the browser if the service is unavailable, or has refused an action. */
export const REFUSALS = [/Failed to load resource/, /WebSocket connection to/];
