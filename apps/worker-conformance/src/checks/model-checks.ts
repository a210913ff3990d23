import type { StateReportMessage, SubscribePayload } from '@detector-cluster/worker-protocol';
import { type Check, demand, skip } from '../check.js';
import type { MasterConnection } from '../stage/master-connection.js';
import type { Behaviour } from '../stage/model-store.js';
import type { WorkerUnderTest } from '../stage/worker-under-test.js';

/** A subscription to a version of a model that the worker does not have yet. Skips a worker that does not ask for files. */
async function withFile(
  worker: WorkerUnderTest,
  behaviour: Behaviour,
  file: Pick<SubscribePayload, 'modelSha256' | 'modelSize'> = {},
) {
  const master = await worker.takeOver();
  const name = worker.newName('model');
  const camera = await worker.deadCamera();
  const modelUrl = worker.modelUrl(name, behaviour);
  const subscription = worker.subscription(camera, { modelUrl, modelVersion: name, ...file });
  master.want(subscription);
  await worker.offers('does not download files of models', () => worker.store.requestsOf(name) > 0);
  return { master, name, subscription };
}

/** The worker must report that it failed, or leave the subscription out. */
async function demandFailed(
  worker: WorkerUnderTest,
  master: MasterConnection,
  subscription: SubscribePayload,
): Promise<void> {
  const { subscriptionIdentifier: id } = subscription;
  const { cameraConnections } = await master.report(
    'a state report with modelState failed, or without the subscription',
    (report) =>
      report.cameraConnections.every(
        (row) => row.subscriptionIdentifier !== id || row.modelState === 'failed',
      ),
  );
  const row = cameraConnections.find(({ subscriptionIdentifier }) => subscriptionIdentifier === id);
  if (row === undefined) return;
  demand((row.reason ?? '') !== '', 'modelState is failed, without a reason');
  demand(
    !row.reason!.includes(worker.secret) && !row.reason!.includes('://'),
    `the reason has a URL: ${row.reason!.replaceAll(worker.secret, '***')}`,
  );
}

const ready = ({ modelState }: { readonly modelState?: string | null | undefined }) =>
  (modelState ?? 'ready') === 'ready';

export const modelChecks: readonly Check[] = [
  {
    id: 'model-once',
    rule: 'a file that is there is not downloaded again, also if the modelUrl has expired',
    section: 'subscribe',
    async run(worker) {
      const { master, name, subscription } = await withFile(worker, 'good');
      await master.row('listed with its model', subscription, ready);
      const expired = worker.newName('expired');
      const modelUrl = worker.modelUrl(expired, 'missing');
      const other = worker.subscription(await worker.deadCamera(), { modelUrl, modelVersion: name });
      master.want(subscription, other);
      await master.row('listed with its model', other, ready);
      const once = () => worker.store.requestsOf(name) === 1 && worker.store.requestsOf(expired) === 0;
      demand(await worker.stays(once), 'a file that was there was downloaded again');
    },
  },
  {
    id: 'model-version',
    rule: 'another modelVersion of a model is another file, and is downloaded',
    section: 'subscribe',
    async run(worker) {
      const { master, subscription } = await withFile(worker, 'good');
      const name = worker.newName('model');
      master.want({ ...subscription, modelVersion: name, modelUrl: worker.modelUrl(name) });
      await worker.until('the download of the new version', () => worker.store.requestsOf(name) > 0);
      await master.row('listed with its model', subscription, ready);
    },
  },
  {
    id: 'model-loading',
    rule: 'a subscription whose model is loading is listed with modelState loading, then ready',
    section: 'statereport',
    async run(worker) {
      const { master, subscription } = await withFile(worker, 'held');
      const { subscriptionIdentifier: id } = subscription;
      // A worker that reports no modelState may list it only when the model is there.
      const { cameraConnections } = await master.report('a state report', () => true);
      const row = cameraConnections.find(({ subscriptionIdentifier }) => subscriptionIdentifier === id);
      if (row !== undefined && (row.modelState ?? null) === null) skip('the worker reports no modelState');
      if (row !== undefined)
        await master.row(
          'listed with modelState loading',
          subscription,
          ({ modelState }) => modelState === 'loading',
        );
      worker.store.release();
      await master.row('listed with its model', subscription, ready);
    },
  },
  {
    id: 'model-loaded',
    rule: 'loadedModels lists a version of a model when it is ready, once, and not before',
    section: 'statereport',
    async run(worker) {
      const { master, name, subscription } = await withFile(worker, 'held');
      const { modelId } = subscription;
      const first = await master.report('a state report', () => true);
      if ((first.loadedModels ?? null) === null) skip('the worker reports no loadedModels');
      const entries = ({ loadedModels }: StateReportMessage) =>
        (loadedModels ?? []).filter((one) => one.modelId === modelId && one.modelVersion === name);
      demand(entries(first).length === 0, 'loadedModels lists a model whose file is not there');
      worker.store.release();
      await master.row('listed with its model', subscription, ready);
      const then = await master.report('loadedModels with the model', (report) => entries(report).length > 0);
      demand(entries(then).length === 1, 'loadedModels lists a version of a model twice');
    },
  },
  {
    id: 'model-missing',
    rule: 'a model that the store does not have is failed with a reason without a URL, or its subscription left out',
    section: 'statereport',
    async run(worker) {
      const { master, subscription } = await withFile(worker, 'missing');
      await demandFailed(worker, master, subscription);
    },
  },
  {
    id: 'model-cut',
    rule: 'a file that ends in the middle is not taken for the model',
    section: 'statereport',
    async run(worker) {
      const { master, subscription } = await withFile(worker, 'cut');
      await demandFailed(worker, master, subscription);
    },
  },
  {
    id: 'model-size',
    rule: 'a file of another size than modelSize is not taken for the model',
    section: 'subscribe',
    async run(worker) {
      const { master, subscription } = await withFile(worker, 'good', { modelSize: 1 });
      await demandFailed(worker, master, subscription);
    },
  },
  {
    id: 'model-sha256',
    rule: 'a file with another SHA-256 than modelSha256 is not taken for the model',
    section: 'subscribe',
    async run(worker) {
      const { master, subscription } = await withFile(worker, 'good', { modelSha256: '0'.repeat(64) });
      await demandFailed(worker, master, subscription);
    },
  },
  {
    id: 'model-redirect',
    rule: 'a redirect of modelUrl is not followed',
    section: 'subscribe',
    async run(worker) {
      const { master, name, subscription } = await withFile(worker, 'redirect');
      await demandFailed(worker, master, subscription);
      demand(
        worker.store.requestsOf(`${name}-target`) === 0,
        'the worker has followed a redirect of modelUrl',
      );
    },
  },
  {
    id: 'model-again',
    rule: 'a model that has failed is tried again when it is subscribed again',
    section: 'statereport',
    async run(worker) {
      const { master, name, subscription } = await withFile(worker, 'missing');
      await demandFailed(worker, master, subscription);
      master.want({ ...subscription, modelUrl: worker.modelUrl(name) });
      await worker.until('another download', () => worker.store.requestsOf(name) > 1);
      await master.row('listed with its model', subscription, ready);
    },
  },
];
