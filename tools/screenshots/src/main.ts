import { type Browser, chromium, type Page } from 'playwright-core';
import { join } from 'node:path';
import { get, LocalCluster, partitionStreamPrefix, request } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { findChromium } from '@detector-cluster/dev-services';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BAD, GOOD, type Picture } from './pictures.js';

/** Pixels of a picture per CSS pixel. Readable when it is enlarged, with files of a few hundred kilobytes at most. */
const SHARPNESS = 1.5;

/** How long the page draws what comes into view. */
const DRAW = 3_000;

const TIMEOUT = 120_000;

interface PictureOptions {
  /** Of a backend. */
  readonly origin: string;
  /** URL of the worker that pictures show. */
  readonly workerUrl: string;
  readonly folder: string;
  /** How long the page collects its history first, in milliseconds. */
  readonly settle: number;
}

/** Resolves with the path of the file. */
async function takePicture(
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

const SUBSCRIPTIONS = ['display-001;cam-001', 'display-002;cam-002', 'display-003;cam-003'];

/**
 * Puts detections without their data into the log, as a defect could leave them there. The owners of their partitions
 * cannot read them and make dead letters of them. No worker may send detections any more.
 */
async function damageDetections(cluster: LocalCluster): Promise<void> {
  const redis = new Redis(cluster.redis.url);
  const workerUrl = cluster.workerUrl(cluster.workers[0]!);
  for (const [partition, subscriptionIdentifier] of SUBSCRIPTIONS.entries()) {
    const receivedAt = Date.now();
    const timestamp = new Date(receivedAt).toISOString();
    const data = { type: 'imageDetection', subscriptionIdentifier, timestamp, data: null };
    const message = JSON.stringify({
      detectionId: `${receivedAt}-${partition}`,
      workerUrl,
      receivedAt,
      data,
    });
    const stream = `${partitionStreamPrefix(cluster.keyPrefix)}{${partition}}`;
    await redis.xadd(stream, '*', 'detections', 1, 'messages', message);
  }
  redis.disconnect();
}

/** Gives a model another file, so that a canary runs. */
async function replaceFile({ backends: [backend] }: LocalCluster): Promise<void> {
  const { items } = await get<{ items: { id: number; name: string }[] }>(
    backend!.url,
    '/api/models',
    TIMEOUT,
  );
  const { id, name } = items.find((model) => model.name === 'people-counter')!;
  await request(backend!.url, 'PATCH', `/api/models/${id}`, { fileKey: `models/${name}-v4.onnx` }, TIMEOUT);
}

const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** The pages with figures of workers, which show the last minute, so they are full after it. */
const FIGURES = /^(overview|worker)/;
const SETTLE = 65_000;
/** After this time without its workers, the first alert fires. */
const TROUBLE = 80_000;
/** How long any other page loads its pictures. */
const LOAD = 6_000;

const say = (message: string) => void process.stderr.write(`screenshots: ${message}\n`);

/** Names of the pictures to take; none: all. */
const names = process.argv.slice(2);
const wanted = (pictures: readonly Picture[]) =>
  pictures.filter(({ name }) => names.length === 0 || names.includes(name));
const [good, bad] = [wanted(GOOD), wanted(BAD)];
const slow = good.filter(({ route }) => FIGURES.test(route));

const executablePath = findChromium();
const cluster = await LocalCluster.start({
  backends: 3,
  workers: 3,
  backendEnv: { DETECTION_HISTORY: 'true', MODEL_CANARY_SHARE: '25' },
  workerEnv: { DETECTIONS_PER_SECOND: '2' },
  progress: say,
});
try {
  await cluster.untilActive(TIMEOUT);
  await replaceFile(cluster);
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  await mkdir(FOLDER, { recursive: true });
  const options = {
    origin: cluster.backends[0]!.url,
    workerUrl: cluster.workerUrl(cluster.workers[0]!),
    folder: FOLDER,
  };
  say(`waiting up to ${SETTLE / 1_000} s for the figures of workers`);
  const paths = slow.map((picture) => takePicture(browser, picture, { ...options, settle: SETTLE }));
  for (const path of await Promise.all(paths)) say(path);
  for (const picture of good.filter((one) => !slow.includes(one)))
    say(await takePicture(browser, picture, { ...options, settle: LOAD }));

  if (bad.length > 0) {
    await Promise.all(cluster.workers.map((worker) => worker.crash()));
    await damageDetections(cluster);
    say(`waiting ${TROUBLE / 1_000} s without workers`);
    await sleep(TROUBLE);
    for (const picture of bad) say(await takePicture(browser, picture, { ...options, settle: LOAD }));
  }
  await browser.close();
} finally {
  await cluster.stop();
}
