import { MAX_FRAME_BYTES, type SubscribePayload } from '@detector-cluster/worker-protocol';
import { type Check, demand, skip } from '../check.js';
import { REPORT_FACTOR } from '../limits.js';
import { until } from '../stage/waits.js';
import type { MasterConnection } from '../stage/master-connection.js';
import type { WorkerUnderTest } from '../stage/worker-under-test.js';

/** Attempts in a row that must be quick: a report that only comes by chance is not quick so often. */
const IN_A_ROW = 4;
const ATTEMPTS = 16;

const MAX_ROWS = 4_000;
/** What leaves room for the rest of the frame. */
const LIST_BYTES = 1_000_000;

/** Tells a report that is sent at once from one that came anyway. */
async function isPrompt(worker: WorkerUnderTest, attempt: () => Promise<unknown>): Promise<boolean> {
  let quick = 0;
  for (let i = 0; i < ATTEMPTS && quick < IN_A_ROW; i++) {
    const begun = performance.now();
    await attempt();
    quick = performance.now() - begun < worker.limits.reportInterval / 4 ? quick + 1 : 0;
  }
  return quick >= IN_A_ROW;
}

async function threeReports(worker: WorkerUnderTest, masters: readonly MasterConnection[]): Promise<void> {
  const limit = 3 * REPORT_FACTOR * worker.limits.reportInterval;
  const before = masters.map(({ reports }) => reports.length);
  await until(
    `three state reports that were not asked for, on each of ${masters.length} connections`,
    limit,
    () => masters.every(({ reports }, index) => reports.length >= before[index]! + 3),
  );
}

export const reportChecks: readonly Check[] = [
  {
    id: 'report-on-connect',
    rule: 'the worker reports its state at once on a new connection',
    section: 'statereport',
    async run(worker) {
      worker.nextTerm();
      demand(
        await isPrompt(worker, () => worker.connect()),
        'the first report comes only with the regular ones',
      );
    },
  },
  {
    id: 'report-interval',
    rule: `the worker reports its state every 2 s (allowed: ${2 * REPORT_FACTOR} s)`,
    section: 'statereport',
    async run(worker) {
      await threeReports(worker, [await worker.connect({ term: worker.nextTerm() })]);
    },
  },
  {
    id: 'report-on-every-connection',
    rule: 'regular reports go to every open connection',
    section: 'statereport',
    async run(worker) {
      await threeReports(worker, [await worker.connect({ term: worker.nextTerm() }), await worker.connect()]);
    },
  },
  {
    id: 'report-on-request',
    rule: 'the worker answers requestState with a report at once',
    section: 'requeststate',
    async play(master, worker) {
      const ask = async () => {
        const before = master.reports.length;
        master.send({ type: 'requestState' });
        await worker.until('the answer to requestState', () => master.reports.length > before);
      };
      demand(await isPrompt(worker, ask), 'the answer to requestState comes only with the regular reports');
    },
  },
  {
    id: 'report-valid',
    rule: 'reports are valid by their schema, with loads of 0 to 100 percent',
    section: 'statereport',
    async play(master, worker) {
      await worker.running(master);
      const wrong = master.invalid.find((text) => !text.includes('imageDetection'));
      demand(wrong === undefined, `a frame of the worker is invalid: ${wrong}`);
      for (const { cpuUsage, gpuMemoryUsage, gpuUsage, memoryUsage } of master.reports)
        for (const load of [cpuUsage, memoryUsage, gpuUsage, gpuMemoryUsage])
          demand((load ?? 0) >= 0 && (load ?? 0) <= 100, `a report gives a load of ${load} percent`);
    },
  },
  {
    id: 'report-rows',
    rule: 'reports list every subscription, with modelId and modelName as subscribed',
    section: 'statereport',
    async play(master, worker) {
      const [camera, dead] = [await worker.camera(), await worker.deadCamera()];
      const subscriptions = [camera, camera, dead].map((each) => worker.subscription(each));
      master.want(...subscriptions);
      await master.held(...subscriptions);
      for (const { modelId, modelName, subscriptionIdentifier } of subscriptions) {
        const row = await master.row('listed', { subscriptionIdentifier });
        demand(
          row.modelId === modelId && row.modelName === modelName,
          `a row has modelId ${row.modelId} and modelName ${JSON.stringify(row.modelName)}, not as subscribed`,
        );
      }
    },
  },
  {
    id: 'report-fingerprint',
    rule: 'a worker that repeats fingerprints repeats the last one, also if nothing else has changed',
    section: 'statereport',
    async play(master, worker) {
      const subscription = worker.subscription(await worker.deadCamera(), { fingerprint: 'first' });
      master.want(subscription);
      const { fingerprint } = await master.row('listed', subscription);
      if (fingerprint === undefined || fingerprint === null) skip('the worker does not repeat fingerprints');
      demand(fingerprint === 'first', `the fingerprint is ${fingerprint}, not as subscribed`);
      master.want({ ...subscription, fingerprint: 'second' });
      await master.row(
        'listed with the second fingerprint',
        subscription,
        (row) => row.fingerprint === 'second',
      );
    },
  },
  {
    id: 'report-below-1-mib',
    rule: 'a report is not larger than 1 MiB, with as many of 4,000 subscriptions as the worker takes',
    section: 'connection',
    async play(master, worker) {
      // No frames come from there, so that many subscriptions need no processor time.
      const camera = await worker.deadCamera();
      const subscriptions: SubscribePayload[] = [];
      let bytes = 0;
      while (subscriptions.length < MAX_ROWS && (bytes < LIST_BYTES || master.version === 'v1')) {
        const next = worker.subscription(camera);
        bytes += JSON.stringify(next).length + 1;
        if (master.version === 'v1' || bytes < LIST_BYTES) subscriptions.push(next);
      }
      master.want(...subscriptions);
      await master.read();
      const before = master.frames.length;
      for (let i = 0; i < 2; i++) master.send({ type: 'requestState' });
      // One of the three may be a regular one, from before the commands.
      await worker.until('three reports', () => master.frames.length >= before + 3);
      const largest = Math.max(...master.frames.map((frame) => frame.bytes));
      demand(largest <= MAX_FRAME_BYTES, `a frame has ${largest} bytes`);
      demand(master.isOpen, `the connection was closed with ${master.closed?.code}`);
      const listed = master.reports.at(-1)?.cameraConnections.length ?? 0;
      demand(
        listed > 0,
        `the worker lists none of ${subscriptions.length} subscriptions of a camera without frames`,
      );
      master.want();
      await master.held();
    },
  },
];
