import { findChromium } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { Recording } from './recording.js';

/** How long the page is measured at rest. Milliseconds. */
const AT_REST = 20_000;

/** How long the overview scrolls in each round. Milliseconds. */
const SCROLLING = 10_000;

/** The overview and the plain list scroll in turn. In one round, a single process that runs beside decides the figures. */
const ROUNDS = 3;

/** A frame that took longer than this shows that one was dropped at 60 frames per second. Milliseconds. */
const LONG_FRAME = 25;

/** A long page without any script of ours. Its frames show what this machine can do. */
const PLAIN_LIST = Array.from(
  { length: 1_000 },
  (_, row) => `<div style="height: 36px">Row ${row}</div>`,
).join('');

/** How long the browser gets to settle after its start, and after each page that scrolls was opened. Milliseconds. */
const BROWSER_REST = 2_000;

const TIMEOUT = 60_000;

const VIEWPORT = { width: 1_280, height: 800 };

/** The card of a worker. */
const CARD = '.worker';

export interface BrowserFigures {
  /** From the start of the navigation, with an empty cache, until it shows workers. Milliseconds. */
  readonly firstUsefulMs: number;
  /** Processor time of the page's main thread at rest. Share of one core. */
  readonly pageCpuShare: number;
  /** Frames while the overview scrolls, and those among them that came late. */
  readonly frames: number;
  readonly lateFrames: number;
  /** The same of a plain list, which the same browser scrolls in the same way in turn with the overview. */
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
    const recording = new Recording(page);
    await page.goto(`${url}/#/overview`, { waitUntil: 'commit' });
    // The page's content security policy forbids what `waitForFunction` does.
    const firstUsefulMs = await page.evaluate<number>(`new Promise((resolve, reject) => {
      const next = () => {
        if (document.querySelector('${CARD}') !== null) resolve(performance.now());
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

/** Scrolls the recorded overview and a plain list in turn. Each round has a page of its own: a hidden page would cost time. */
async function scrollInTurn(browser: Browser, recording: Recording) {
  const service = await recording.serve();
  const openOverview = async (page: Page) => {
    await page.goto(`${service.url}/#/overview`);
    await page.locator(CARD).first().waitFor({ timeout: TIMEOUT });
  };
  try {
    const intervals: number[] = [];
    const control: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      intervals.push(...(await scroll(browser, openOverview)));
      control.push(...(await scroll(browser, (page) => page.setContent(PLAIN_LIST))));
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

function late(intervals: readonly number[]): number {
  return intervals.filter((interval) => interval > LONG_FRAME).length;
}

/** Opens a page and scrolls it to its end and back, again and again. Returns the time between frames, in milliseconds. */
async function scroll(browser: Browser, open: (page: Page) => Promise<void>): Promise<number[]> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await open(page);
  await sleep(BROWSER_REST);
  const intervals = await page.evaluate<number[]>(`new Promise((resolve) => {
    const { scrollingElement } = document;
    let step = 40;
    const intervals = [];
    const start = performance.now();
    let last = start;
    const next = () => {
      const now = performance.now();
      intervals.push(now - last);
      last = now;
      const before = scrollingElement.scrollTop;
      scrollingElement.scrollTop += step;
      if (scrollingElement.scrollTop === before) step = -step;
      if (now - start < ${SCROLLING}) requestAnimationFrame(next);
      else resolve(intervals);
    };
    requestAnimationFrame(next);
  })`);
  await page.close();
  return intervals;
}
