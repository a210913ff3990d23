import { LocalCluster, request } from '@detector-cluster/local-cluster';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PlainWorker } from '../../../libs/detector-cluster/src/workers/plain-worker.fixture.js';
import { allActive, TIMEOUT } from '../support/cluster.js';
import { describeInBrowser } from './support/describe-in-browser.js';
import { HOSTILE_TEXTS } from './support/hostile-texts.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** The worker has no pictures. */
const NO_PICTURE = [/the server responded with a status of 503/];

/** How often the worker reports and detects. Milliseconds. */
const INTERVAL = 1_000;

describeInBrowser('the dashboard of a cluster that receives hostile input', (open) => {
  let worker: PlainWorker;
  let cluster: LocalCluster;
  let speaking: NodeJS.Timeout | undefined;

  /** Sends hostile text in every field that may hold text, and in an unknown field. */
  const speak = () => {
    worker.report();
    for (const { subscriptionIdentifier, modelId, modelName } of worker.streams.values()) {
      const text = subscriptionIdentifier.split(';')[0]!;
      const detection = { carModel: text, carBrand: text, licensePlateText: text, [`\u202E${text}`]: text };
      worker.send({
        type: 'imageDetection',
        subscriptionIdentifier,
        timestamp: new Date().toISOString(),
        data: { detection, modelId, modelName },
      });
    }
  };

  beforeAll(async () => {
    worker = await PlainWorker.start();
    cluster = await LocalCluster.start({
      backends: 0,
      workers: 0,
      seed: false,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
    });
    const { url } = await cluster.addBackend({ DETECTOR_WORKERS: worker.url });
    speaking = setInterval(speak, INTERVAL);
    const add = (path: string, body: object) =>
      request<{ id: number }>(url, 'POST', `/api/${path}`, body, TIMEOUT);
    for (const text of HOSTILE_TEXTS) {
      const { id: modelId } = await add('models', { name: text, fileKey: 'models/hostile' });
      const { id: playlistId } = await add('playlists', { name: text, modelId });
      await add('cameras', { cameraIdentifier: text, rtspUrl: 'rtsp://10.20.0.99/main' });
      await add('displays', { displayId: text, name: text, cameraIdentifier: text, playlistId });
    }
    await allActive(cluster, HOSTILE_TEXTS.length);
  }, 3 * TIMEOUT);
  afterAll(async () => {
    clearInterval(speaking);
    await cluster?.stop();
    await worker?.stop();
  });

  it('shows names of the database and text of the worker as text', async () => {
    const dashboard = await open(cluster.backends[0]!.url, { route: 'subscriptions', expected: NO_PICTURE });
    const { page } = dashboard;
    for (const text of HOSTILE_TEXTS) {
      await page.getByRole('table').getByRole('link', { name: text, exact: true }).first().click();
      await dashboard.shows(dashboard.dialog, text);
      await dashboard.shows(dashboard.dialog, 'Runs here');
      await page.keyboard.press('Escape');
      await dashboard.dialog.waitFor({ state: 'detached' });
    }
    await dashboard.goTo('detections');
    for (const text of HOSTILE_TEXTS)
      await dashboard.shows(page.locator('.detection-label'), text.slice(0, 128));
    // Each new detection moves the others.
    await dashboard.button('Pause').click();
    for (const text of HOSTILE_TEXTS) {
      const card = page
        .locator('.detection-card')
        .filter({ hasText: text.slice(0, 128) })
        .first();
      await card.getByText('Details').click();
      await card.getByText('JSON of the worker').click();
      await dashboard.shows(page.locator('.detection-card pre'), JSON.stringify(text).slice(1, -1));
    }
    await dashboard.goTo('overview');
    await dashboard.shows(page.getByRole('article'), HOSTILE_TEXTS[0]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });
});
