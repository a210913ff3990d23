import { findChromium } from '@detector-cluster/dev-services';
import { LocalCluster, waitFor } from '@detector-cluster/local-cluster';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { damageDetections } from './damage-detections.js';
import { BAD, GOOD, type Picture } from './pictures.js';
import { takePicture } from './take-picture.js';

const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** The pages with figures of workers, which show the last minute, so they are full after it. */
const FIGURES = /^(overview|worker)/;
const SETTLE = 65_000;
/** After this time without its workers, the first alert fires. */
const TROUBLE = 80_000;
/** How long any other page loads its pictures. */
const LOAD = 6_000;
const TIMEOUT = 60_000;

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
  backendEnv: { DETECTION_HISTORY: 'true' },
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
