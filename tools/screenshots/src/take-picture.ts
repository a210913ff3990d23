import type { BrowserContext } from 'playwright-core';
import { join } from 'node:path';
import type { Picture } from './pictures.js';

/** @param origin of a backend; @param settle how long the page collects its history first, in milliseconds */
export async function takePicture(
  context: BrowserContext,
  { name, route, theme }: Picture,
  { origin, folder, settle }: { readonly origin: string; readonly folder: string; readonly settle: number },
): Promise<string> {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: theme });
  await page.goto(`${origin}/#/${route}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.waitForTimeout(settle);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  return path;
}
