import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let workers: PlainWorker[] = [];
let master: ClusterProcess | undefined;
let reports: NodeJS.Timeout | undefined;

afterEach(async () => {
  clearInterval(reports);
  await master?.stop();
  for (const worker of workers) await worker.stop();
});

const CAMERAS = 8;

it('moves cameras from a worker that has become busy, although nothing else has changed', async () => {
  workers = await Promise.all([PlainWorker.start(), PlainWorker.start()]);
  const [busy, idle] = workers as [PlainWorker, PlainWorker];
  const subscriptions = Array.from({ length: CAMERAS }, (_, i) => ({
    subscriptionIdentifier: `d${i};c${i}`,
    rtspUrl: 'rtsp://x',
    modelId: 1,
    modelName: 'cars',
    createdAt: new Date().toISOString(),
  }));
  master = await ClusterProcess.start({
    prefix: `{${randomUUID()}}:`,
    workers: workers.map(({ url }) => ({ url, capacity: CAMERAS })),
    desiredState: { read: () => Promise.resolve({ subscriptions, skipped: [] }) },
    timings: { resyncInterval: 300 },
  });
  await master.active(CAMERAS);
  expect(workers.map(({ streams }) => streams.size)).toEqual([CAMERAS / 2, CAMERAS / 2]);

  // A report after more than 6 s of silence begins a new average.
  reports = setInterval(() => {
    idle.report();
    if (busy.cpu > 1) busy.report();
  }, 1_000);
  await sleep(6_500);
  busy.cpu = 100;
  await eventually('a camera moves', 40_000, async () => idle.streams.size > CAMERAS / 2);
});
