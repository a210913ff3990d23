import { SubscriptionTrigger } from '@detector-cluster/detector-cluster';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { until } from '../../../../test/support/until.js';
import { KnownSubscriptions } from '../term/known-subscriptions.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const ID = 'd1;c1';
const LONG = 60_000;

const detection = {
  type: 'imageDetection',
  subscriptionIdentifier: ID,
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { detection: { carBrand: 'x' }, modelId: 1, modelName: 'cars' },
};
const subscription = {
  subscriptionIdentifier: ID,
  rtspUrl: 'rtsp://user:pw@camera.example.com/1',
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
};

const processes: ClusterProcess[] = [];
const workers: PlainWorker[] = [];
const startWorker = async () => {
  const worker = await PlainWorker.start();
  workers.push(worker);
  return worker;
};
afterEach(async () => {
  vi.restoreAllMocks();
  for (const each of processes.splice(0)) await each.stop();
  for (const each of workers.splice(0)) await each.stop();
});

it('a new master hears its workers and takes detections before it loads the desired state, and reads, decides and sends nothing until then', async () => {
  const prefix = randomPrefix();
  const worker = await startWorker();
  const read = vi.fn(() => Promise.resolve({ subscriptions: [subscription], skipped: [] }));
  const join = async () => {
    const joined = await ClusterProcess.start({ prefix, workers: [worker.url], desiredState: { read } });
    processes.push(joined);
    return joined;
  };
  const first = await join();
  await first.active(1);
  await first.stop();
  const { commands, opened } = structuredClone({ commands: worker.commands, opened: worker.opened });

  const hold = new EventEmitter();
  const released = once(hold, 'release');
  const { load } = KnownSubscriptions.prototype;
  const reports = { before: worker.reports, atLoad: 0 };
  vi.spyOn(KnownSubscriptions.prototype, 'load').mockImplementation(async function (
    this: KnownSubscriptions,
    redis,
  ) {
    reports.atLoad = worker.reports;
    await released;
    await load.call(this, redis);
  });
  read.mockClear();
  const second = await join();
  let heard = 0;
  second.cluster.addGlobalDetectionListener(() => void heard++);
  second.app.get(SubscriptionTrigger).triggerSubscriptionUpdate('test');
  await until(() => worker.opened > opened, undefined, LONG);
  // Its router may learn of the listener after the first ones.
  const isHeard = () => {
    worker.send(detection);
    return heard > 0;
  };
  await until(isHeard, undefined, LONG);
  const state = await second.cluster.getState();
  const [{ online, processId, subscriptionCount }] = state.workers as [(typeof state.workers)[0]];
  expect({ online, processId, subscriptionCount }).toEqual({
    online: true,
    processId: second.election.getNodeId(),
    subscriptionCount: 1,
  });
  expect([read.mock.calls.length, worker.commands]).toEqual([0, commands]);
  expect(reports.atLoad).toBeGreaterThan(reports.before);

  hold.emit('release');
  await until(() => second.cluster.regenerate().catch(() => false), undefined, LONG);
  await second.active(1);
  expect(read).toHaveBeenCalled();
  expect(worker.commands).toEqual(commands);
});

it('a new master loads the desired state before it has heard workers that report late, one after the other', async () => {
  const all = await Promise.all(Array.from({ length: 40 }, startWorker));
  const last = all.at(-1)!;
  const reportsAtLoad: number[] = [];
  const asked = all.map((worker) => {
    const report = worker.report.bind(worker);
    return new Promise<() => void>((resolve) => (worker.report = () => resolve(report)));
  });
  // After a pause of this process, too, one worker after the other reports.
  const reportInTurn = async () => {
    for (const reporting of asked) {
      if (reportsAtLoad.length > 0) return;
      const report = await reporting;
      report();
      await sleep(200);
    }
  };
  const { load } = KnownSubscriptions.prototype;
  vi.spyOn(KnownSubscriptions.prototype, 'load').mockImplementation(function (
    this: KnownSubscriptions,
    redis,
  ) {
    reportsAtLoad.push(last.reports);
    return load.call(this, redis);
  });
  const reported = reportInTurn();
  processes.push(
    await ClusterProcess.start({
      prefix: randomPrefix(),
      workers: all.map(({ url }) => url),
      timings: { adoptionTimeout: LONG },
    }),
  );
  await until(() => reportsAtLoad.length > 0, undefined, LONG);
  await reported;
  expect(reportsAtLoad).toEqual([0]);
});
