import type { Browser, Page } from 'playwright-core';
import { join } from 'node:path';
import type { Picture } from './pictures.js';

/** Pixels of a picture per CSS pixel. Readable when it is enlarged, with files of a few hundred kilobytes at most. */
const SHARPNESS = 1.5;

/** How long the page draws what comes into view. */
const DRAW = 3_000;

const TIMEOUT = 120_000;

export interface PictureOptions {
  /** Of a backend. */
  readonly origin: string;
  /** URL of the worker that pictures show. */
  readonly workerUrl: string;
  readonly folder: string;
  /** How long the page collects its history first, in milliseconds. */
  readonly settle: number;
}

/** Resolves with the path of the file. */
export async function takePicture(
  browser: Browser,
  { name, route, theme, width, height, whole = false, press }: Picture,
  { origin, workerUrl, folder, settle }: PictureOptions,
): Promise<string> {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: SHARPNESS,
    colorScheme: theme,
  });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  await page.goto(`${origin}/#/${route.replace('{worker}', encodeURIComponent(workerUrl))}`);
  await page.getByText('Live', { exact: true }).waitFor();
  if (press !== undefined) {
    await page.waitForTimeout(settle);
    await page.getByRole('button', { name: press, exact: true }).click();
  }
  await page.waitForTimeout(settle);
  if (whole) await fitWindow(page, { width, height });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  await context.close();
  return path;
}

/** Makes the window as high as the page, which does not draw what is out of view. Drawing can change the height. */
async function fitWindow(page: Page, { width, height }: Pick<Picture, 'width' | 'height'>): Promise<void> {
  for (let times = 0; times < 2; times++) {
    const bottom = await page.evaluate<number>(
      `document.querySelector('main').getBoundingClientRect().bottom`,
    );
    await page.setViewportSize({ width, height: Math.max(height, Math.ceil(bottom)) });
    await page.waitForTimeout(DRAW);
  }
}
