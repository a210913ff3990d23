import {
  findPeopleSample,
  get,
  LocalCluster,
  type AppProcess,
  peopleModel,
  recentDetections,
  request,
  startModelStore,
  startPeopleCamera,
  startPeopleWorker,
} from '@detector-cluster/local-cluster';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample } from './samples.js';
import type { SampleStage } from './sample-stage.js';

const TIMEOUT = 60_000;
const CAMERAS = ['north', 'south'];
/** Detections that each camera must have brought before the next act. */
const SHOWN = 4;

interface Found {
  readonly workerName: string;
  readonly boxes: readonly { x: number; y: number; label: string; confidence: number }[];
}

/** What a worker says of a version of a model; see `GET /stats` of the Python package. */
interface ModelStats {
  readonly modelVersion: string;
  readonly state: string;
  readonly analysed: number;
  readonly skipped: number;
  readonly msPerFrame: number | null;
}

/** Two workers look for people in a real video. The model's file is replaced, and the master is killed. */
export const peopleCounter: Sample = {
  folder: '008-people-counter',
  postgres: true,
  async play(stage) {
    const { camera, cluster, store, workers, modelId } = await start(stage);
    const first = await people(stage, cluster.backends);
    const before = await models(workers);

    store.put('people-2.xml', await peopleModel(programs(), 'daimler'));
    stage.say('the file of the model is replaced');
    await request(
      cluster.backends[0]!.url,
      'PATCH',
      `/api/models/${modelId}`,
      { fileKey: 'people-2.xml' },
      TIMEOUT,
    );
    const former = before.map(({ modelVersion }) => modelVersion);
    await stage.until('the new file on both workers', async () => {
      const now = await models(workers);
      return (
        now.length === 2 &&
        now.every((model) => model.state === 'ready' && !former.includes(model.modelVersion))
      );
    });
    stage.say('both workers detect with the new file; no camera was opened again');
    const second = await people(stage, cluster.backends, new Date().toISOString());
    const streamsOpenedByFile = (await camera.viewers()) - CAMERAS.length;

    const master = await cluster.untilMaster(TIMEOUT);
    const others = cluster.backends.filter((backend) => backend !== master);
    stage.say(`kill -9 ${master.name}, which is master`);
    const viewers = await camera.viewers();
    const killedAt = new Date().toISOString();
    await master.crash();
    const third = await people(stage, others, killedAt);
    const streamsOpenedByKill = (await camera.viewers()) - viewers;

    const after = await models(workers);
    const all = [...before, ...after];
    const framesAnalysed = all.reduce((sum, { analysed }) => sum + analysed, 0);
    const spent = all.reduce((sum, { analysed, msPerFrame }) => sum + analysed * (msPerFrame ?? 0), 0);
    const replacedOnWorkers = store.downloads('people-2.xml');
    return {
      ok: streamsOpenedByFile === 0 && streamsOpenedByKill === 0 && replacedOnWorkers === workers.length,
      people: first + second + third,
      framesAnalysed,
      framesSkipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
      msPerFrame: Math.round(spent / framesAnalysed),
      replacedOnWorkers,
      streamsOpenedByFile,
      streamsOpenedByKill,
    };
  },
};

function programs() {
  const sample = findPeopleSample();
  if ('missing' in sample) throw new Error(sample.missing);
  return sample.found;
}

async function start(stage: SampleStage) {
  const found = programs();
  const { redisUrl, databaseUrl } = stage;
  const store = await startModelStore();
  stage.atEnd(() => store.stop());
  store.put('people-1.xml', await peopleModel(found, 'default'));
  const camera = await startPeopleCamera(found);
  stage.atEnd(() => camera.stop());
  stage.say('two cameras show pedestrians, over RTSP');
  const folder = await mkdtemp(join(tmpdir(), 'people-counter-'));
  stage.atEnd(() => rm(folder, { recursive: true }));
  const workers = await Promise.all(
    CAMERAS.map(async (_camera, index) => {
      const name = `worker-${index + 1}`;
      // A worker takes one camera, so that both have one; two processors are not enough for more.
      const limits = { MAX_CAMERAS: '1', FRAMES_PER_SECOND: '2', DETECT_TIMEOUT: '60000' };
      const worker = await startPeopleWorker(found, {
        WORKER_NAME: name,
        MODEL_FOLDER: join(folder, name),
        ...limits,
      });
      stage.atEnd(() => worker.stop());
      return worker;
    }),
  );
  const cluster = await LocalCluster.start({
    backends: 3,
    workers: 0,
    seed: false,
    redisUrl,
    databaseUrl,
    backendEnv: {
      KEY_PREFIX: 'sample-008:',
      LOCK_NAME: 'sample-008:master-election',
      DETECTOR_WORKERS: workers.map(({ port }) => `ws://127.0.0.1:${port}`).join(','),
      ...store.backendEnv,
    },
  });
  stage.atEnd(() => cluster.stop());
  for (const { name, url } of cluster.backends) stage.say(`${name} answers at ${url}`);
  const modelId = await subscribe(cluster.backends[0]!, camera.url);
  return { camera, cluster, store, workers, modelId };
}

/** Creates a display for each camera, like any user would. Resolves with the id of their model. */
async function subscribe({ url }: AppProcess, rtspUrl: string): Promise<number> {
  const post = (path: string, body: object) => request<{ id: number }>(url, 'POST', path, body, TIMEOUT);
  const model = await post('/api/models', { name: 'people', fileKey: 'people-1.xml' });
  const playlist = await post('/api/playlists', { name: 'people', modelId: model.id });
  for (const cameraIdentifier of CAMERAS) {
    await post('/api/cameras', { cameraIdentifier, rtspUrl });
    await post('/api/displays', {
      displayId: 'hall-' + cameraIdentifier,
      cameraIdentifier,
      playlistId: playlist.id,
    });
  }
  return model.id;
}

/** Waits for people on every camera after a moment, and shows some. Resolves with their number. */
async function people(stage: SampleStage, backends: readonly AppProcess[], after = ''): Promise<number> {
  const found = await stage.until('people on every camera', async () => {
    const recent = await recentDetections(backends);
    const fresh = recent.filter(({ timestamp, data }) => timestamp > after && data.detection !== null);
    const of = (camera: string) => fresh.filter((each) => each.subscriptionIdentifier.endsWith(`;${camera}`));
    return CAMERAS.every((camera) => of(camera).length >= SHOWN) && fresh;
  });
  for (const { subscriptionIdentifier, data } of found.slice(0, SHOWN)) {
    const { workerName, boxes } = data.detection as unknown as Found;
    const shown = boxes.map(
      ({ label, confidence, x, y }) => `${label} ${Math.round(100 * confidence)} % at ${x}, ${y}`,
    );
    stage.say(`${subscriptionIdentifier} on ${workerName}: ${shown.join('; ')}`);
  }
  return found.reduce((sum, { data }) => sum + (data.detection as unknown as Found).boxes.length, 0);
}

async function models(workers: readonly AppProcess[]): Promise<ModelStats[]> {
  const stats = await Promise.all(
    workers.map(({ url }) => get<{ models: ModelStats[] }>(url, '/stats', TIMEOUT)),
  );
  return stats.flatMap((each) => each.models);
}
