import { findChromium } from '@detector-cluster/dev-services';
import { LocalCluster, waitFor } from '@detector-cluster/local-cluster';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { PICTURES } from './pictures.js';
import { takePicture } from './take-picture.js';

const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** The figures of workers show the last minute, so they are full after it. */
const SETTLE = 65_000;
/** Pixels of a picture per CSS pixel. Readable when it is enlarged, with files below 300 kB. */
const SHARPNESS = 1.5;
const TIMEOUT = 60_000;

const say = (message: string) => void process.stderr.write(`screenshots: ${message}\n`);

const executablePath = findChromium();
const cluster = await LocalCluster.start({
  backends: 3,
  workers: 3,
  workerEnv: { DETECTIONS_PER_SECOND: '2' },
  progress: say,
});
try {
  await waitFor('all subscriptions to run', TIMEOUT, async () => {
    const { subscriptions } = await cluster.subscriptions();
    return subscriptions.length > 0 && subscriptions.every(({ status }) => status === 'active') ? true : null;
  });
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  await mkdir(FOLDER, { recursive: true });
  say(`waiting ${SETTLE / 1_000} s for the charts`);
  const origin = cluster.backends[0]!.url;
  const paths = await Promise.all(
    PICTURES.map(async (picture) => {
      const { width, height } = picture;
      const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: SHARPNESS });
      return takePicture(context, picture, { origin, folder: FOLDER, settle: SETTLE });
    }),
  );
  await browser.close();
  for (const path of paths) say(path);
} finally {
  await cluster.stop();
}
