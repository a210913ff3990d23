import {
  LocalCluster,
  type AppProcess,
  findPythonSample,
  getAll,
  type PythonPrograms,
  recentDetections,
  request,
  startPythonWorker,
  startRtspCamera,
  type SubscriptionAnswer,
} from '@detector-cluster/local-cluster';
import type { Sample } from './samples.js';
import type { SampleStage } from './sample-stage.js';

const SHOWN = 5;
const TIMEOUT = 60_000;

interface Seen {
  readonly boxes: readonly { x: number; y: number; width: number; height: number }[];
}

/** A camera, the Python worker and two backends. The master is killed, and the camera is offline for a while. */
export const pythonWorker: Sample = {
  folder: '006-python-worker',
  postgres: true,
  async play(stage) {
    const sample = findPythonSample();
    if ('missing' in sample) throw new Error(sample.missing);
    const { camera, cluster } = await start(stage, sample.found);
    const { backends } = cluster;
    await subscribe(backends[0]!, camera.url);
    const first = await detections(stage, backends, SHOWN);

    const master = await cluster.untilMaster(TIMEOUT);
    const others = backends.filter((backend) => backend !== master);
    stage.say(`kill -9 ${master.name}, which is master`);
    const viewers = await camera.viewers();
    const killedAt = new Date().toISOString();
    await master.crash();
    const afterKill = await detections(stage, others, SHOWN, killedAt);
    const streamsOpenedByKill = (await camera.viewers()) - viewers;

    stage.say('kill -9 of the camera');
    await camera.crash();
    await stage.until('the camera to be called offline', async () => {
      const subscriptions = await getAll<SubscriptionAnswer>(others[0]!.url, '/api/cluster/subscriptions');
      return subscriptions[0]?.reason === 'camera-offline';
    });
    stage.say('the camera is offline, and switched on again');
    const startedAt = new Date().toISOString();
    await camera.start();
    const afterCut = await detections(stage, others, SHOWN, startedAt);
    return {
      ok: streamsOpenedByKill === 0,
      detections: first + afterKill + afterCut,
      streamsOpenedByKill,
    };
  },
};

async function start(stage: SampleStage, programs: PythonPrograms) {
  const { redisUrl, databaseUrl } = stage;
  const camera = await startRtspCamera(programs);
  stage.atEnd(() => camera.stop());
  stage.say('a camera shows a square that moves, over RTSP');
  const worker = await startPythonWorker(programs);
  stage.atEnd(() => worker.stop());
  const cluster = await LocalCluster.start({
    backends: 2,
    workers: 0,
    seed: false,
    redisUrl,
    databaseUrl,
    backendEnv: {
      KEY_PREFIX: 'sample-006:',
      LOCK_NAME: 'sample-006:master-election',
      DETECTOR_WORKERS: `ws://127.0.0.1:${worker.port}`,
    },
  });
  stage.atEnd(() => cluster.stop());
  for (const { name, url } of cluster.backends) stage.say(`${name} answers at ${url}`);
  return { camera, cluster };
}

/** Creates a display for the camera, like any user would. */
async function subscribe({ url }: AppProcess, rtspUrl: string): Promise<void> {
  const post = (path: string, body: object) => request<{ id: number }>(url, 'POST', path, body, 10_000);
  await post('/api/cameras', { cameraIdentifier: 'camera', rtspUrl });
  const model = await post('/api/models', { name: 'motion', fileKey: 'none' });
  const playlist = await post('/api/playlists', { name: 'motion', modelId: model.id });
  await post('/api/displays', { displayId: 'hall', cameraIdentifier: 'camera', playlistId: playlist.id });
}

/** Waits for this many detections after a moment, and shows them. Resolves with their number. */
async function detections(
  stage: SampleStage,
  backends: readonly AppProcess[],
  count: number,
  after = '',
): Promise<number> {
  const found = await stage.until(`${count} detections`, async () => {
    const recent = await recentDetections(backends);
    const fresh = recent.filter(({ timestamp, data }) => timestamp > after && data.detection !== null);
    return fresh.length >= count && fresh;
  });
  for (const { subscriptionIdentifier, data } of found.slice(0, count))
    for (const { x, y, width, height } of (data.detection as unknown as Seen).boxes)
      stage.say(`${subscriptionIdentifier} sees something of ${width} × ${height} pixels at ${x}, ${y}`);
  return found.length;
}
