import type { Browser, BrowserContext, Page } from 'playwright-core';
import { waitFor } from '@detector-cluster/local-cluster';
import { TIMEOUT } from '../../support/cluster.js';
import { REFUSALS, watchForComplaints } from '../../support/page-complaints.js';

/** A detection that a page has shown. */
export interface Shown {
  readonly id: string;
  readonly camera: string;
}

/** Notes every detection that is ever put on the page, also those that have left it. */
const NOTE_SHOWN = `window.shown = [];
new MutationObserver((records) => {
  for (const { addedNodes } of records)
    for (const { dataset } of addedNodes)
      if (dataset?.id) window.shown.push({ id: dataset.id, camera: dataset.camera });
}).observe(document, { childList: true, subtree: true })`;

/** The page of a display in a window of its own. */
export class WallPage {
  /** Ids of the detections in the messages to the page. */
  readonly received: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    readonly complaints: readonly string[],
  ) {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const id = /"detectionId":"([^"]+)"/.exec(payload.toString())?.[1];
        if (id !== undefined) this.received.push(id);
      }),
    );
  }

  static async open(browser: Browser, origin: string, display: string): Promise<WallPage> {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } });
    context.setDefaultTimeout(TIMEOUT);
    const page = await context.newPage();
    await page.addInitScript(NOTE_SHOWN);
    const wallPage = new WallPage(context, page, await watchForComplaints(page, origin, REFUSALS));
    await page.goto(`${origin}/displays/${display}`);
    return wallPage;
  }

  /** Everything that it has shown since it was loaded, oldest first. */
  shown(): Promise<Shown[]> {
    return this.page.evaluate<Shown[]>('window.shown');
  }

  /** Resolves when it has shown so many more detections. */
  async showsMore(count: number): Promise<void> {
    const before = (await this.shown()).length;
    await waitFor(`${count} more detections on the page`, TIMEOUT, async () =>
      (await this.shown()).length >= before + count ? true : null,
    );
  }

  /** Resolves with the replica that it is connected to, when it is connected to another than `old`. */
  async liveAt(old = ''): Promise<string> {
    return waitFor('a connection to a replica', TIMEOUT, async () => {
      const { state, replica } = await this.header();
      return state === 'Live' && replica !== old ? replica : null;
    });
  }

  /** Resolves when it says that another page shows its display. */
  async replaced(): Promise<void> {
    await this.page.getByRole('alert').getByText('Another page has opened this display.').waitFor();
    await this.page.getByRole('status').getByText('Shown elsewhere').waitFor();
  }

  /** Presses the button of a page that was replaced. */
  async takeBack(): Promise<void> {
    await this.page.getByRole('button', { name: 'Show it here' }).click();
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /** Reads both at once, because a connection may end between two reads. */
  private header(): Promise<{ state: string; replica: string }> {
    return this.page.evaluate(`({
      state: document.getElementById('state').textContent,
      replica: document.getElementById('replica').textContent,
    })`);
  }
}
