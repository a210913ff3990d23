import { findChromium } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { Recording } from './recorded-service.js';

/** How long the page is measured at rest. Milliseconds. */
const AT_REST = 20_000;

/** How long the table scrolls in each round. Milliseconds. */
const SCROLLING = 3_000;

/** The table and the plain list scroll in turn. In one round, a single process that runs beside decides the figures. */
const ROUNDS = 10;

/** A frame that took longer than this shows that one was dropped at 60 frames per second. Milliseconds. */
const LONG_FRAME = 25;

/** Rows of the plain list. */
const PLAIN_ROWS = 1_000;

/** How long the browser gets to settle after its start, and with each page that scrolls. Milliseconds. */
const BROWSER_REST = 1_000;

const TIMEOUT = 60_000;

const VIEWPORT = { width: 1_280, height: 800 };

/** A row of the table of workers. */
const ROW = '[role=grid] .virtual-body [role=row]';

export interface BrowserFigures {
  /** From the start of the navigation, with an empty cache, until the table shows workers. Milliseconds. */
  readonly firstUsefulMs: number;
  /** Processor time of the page's main thread at rest. Share of one core. */
  readonly pageCpuShare: number;
  /** Frames while the table of workers scrolls, and those among them that came late. */
  readonly frames: number;
  readonly lateFrames: number;
  /** The same of a plain list of as many rows, which the same browser scrolls in the same way in turn with the table. */
  readonly controlFrames: number;
  readonly controlLateFrames: number;
  /** Elements on the page. */
  readonly elements: number;
}

/**
 * Opens the overview in Chromium and measures it there. Null without a Chromium.
 * @param endCluster called before the page scrolls. What the page received until then is played to it again, because the simulated
 * workers would take the processors from the browser.
 */
export async function measureInBrowser(
  url: string,
  endCluster: () => Promise<void>,
): Promise<BrowserFigures | null> {
  const executablePath = chromiumOrNull();
  if (executablePath === null) return null;
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    // Operators open the page in a browser that runs already.
    await page.setContent('<p>Started</p>');
    await sleep(BROWSER_REST);
    const recording = Recording.of(page);
    await page.goto(`${url}/#/overview`, { waitUntil: 'commit' });
    // The page's content security policy forbids what `waitForFunction` does.
    const firstUsefulMs = await page.evaluate<number>(`new Promise((resolve, reject) => {
      const next = () => {
        if (document.querySelector('${ROW}') !== null) resolve(performance.now());
        else if (performance.now() > ${TIMEOUT}) reject(new Error('the page shows no workers'));
        else requestAnimationFrame(next);
      };
      next();
    })`);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const before = await taskSeconds(session);
    await sleep(AT_REST);
    const pageCpuShare = (((await taskSeconds(session)) - before) * 1_000) / AT_REST;
    const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`);
    await page.close();
    await endCluster();
    return {
      firstUsefulMs: Math.round(firstUsefulMs),
      pageCpuShare: Math.round(pageCpuShare * 10_000) / 10_000,
      ...(await scrollInTurn(browser, recording)),
      elements,
    };
  } finally {
    await browser.close();
  }
}

/** Scrolls the table of the recorded page and a plain list in turn. */
async function scrollInTurn(browser: Browser, recording: Recording) {
  const service = await recording.serve();
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.goto(`${service.url}/#/overview`);
    await page.locator(ROW).first().waitFor({ timeout: TIMEOUT });
    const plain = await openPlainList(browser);
    const intervals: number[] = [];
    const control: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      intervals.push(...(await scroll(page)));
      control.push(...(await scroll(plain)));
    }
    return {
      frames: intervals.length,
      lateFrames: late(intervals),
      controlFrames: control.length,
      controlLateFrames: late(control),
    };
  } finally {
    service.stop();
  }
}

function chromiumOrNull(): string | null {
  try {
    return findChromium();
  } catch {
    return null;
  }
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value;
}

/** A page without any script of ours. Its frames show what this machine can do beside the cluster. */
async function openPlainList(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  const rows = Array.from({ length: PLAIN_ROWS }, (_, row) => `<div style="height: 36px">Row ${row}</div>`);
  await page.setContent(`<div role="grid" style="height: 600px; overflow: auto">${rows.join('')}</div>`);
  await sleep(BROWSER_REST);
  return page;
}

function late(intervals: readonly number[]): number {
  return intervals.filter((interval) => interval > LONG_FRAME).length;
}

/** Scrolls the table from its top towards its end. Returns the time between frames, in milliseconds. */
async function scroll(page: Page): Promise<number[]> {
  await page.bringToFront();
  return await page.evaluate<number[]>(`new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]');
    grid.scrollIntoView();
    grid.scrollTop = 0;
    const intervals = [];
    const start = performance.now();
    let last = start;
    const next = () => {
      const now = performance.now();
      intervals.push(now - last);
      last = now;
      grid.scrollTop += 40;
      if (now - start < ${SCROLLING}) requestAnimationFrame(next);
      else resolve(intervals);
    };
    requestAnimationFrame(next);
  })`);
}
