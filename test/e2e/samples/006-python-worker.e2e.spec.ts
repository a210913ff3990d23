import {
  findPythonSample,
  LocalCluster,
  request,
  startPythonWorker,
  startRtspCamera,
  waitFor,
  type AppProcess,
  type PythonPrograms,
  type RtspCamera,
} from '@detector-cluster/local-cluster';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { masterOf, TIMEOUT } from '../support/cluster.js';
import { leftBehindBy } from '../support/left-behind.js';
import { programsOf } from '../support/python-programs.js';
import { BoxLog, type Box } from './006-support/box-log.js';

vi.setConfig({ testTimeout: 4 * TIMEOUT, hookTimeout: 4 * TIMEOUT });

const run = promisify(execFile);
const RUNNER = fileURLToPath(new URL('../../../tools/sample-runner/dist/main.js', import.meta.url));
const WHOLE = 'whole;cam';
const LEFT = 'left;cam';
const CROP = { cropX1: 0, cropY1: 0, cropX2: 160, cropY2: 240 };
const SIDE = 40;
const TOKEN = 'python-worker-t0ken';

const programs = programsOf(findPythonSample(), '006-python-worker');

/** How far the middle of a box is from the track of the square, in pixels. */
const offTrack = ({ x, y, width, height }: Box) => Math.abs(y + height / 2 - 30 - (x + width / 2) / 2);

(programs ? describe : describe.skip)('006-python-worker', () => {
  // They take more than a minute, most of it waiting, so they run beside the first tests.
  const ownTests = ['python', 'samples/006-python-worker'].map((folder) => ({
    folder,
    ran:
      programs &&
      run(programs.worker, ['-m', 'unittest', '-v'], {
        cwd: new URL(`../../../${folder}`, import.meta.url),
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
        timeout: 6 * TIMEOUT,
      }),
  }));
  for (const { ran } of ownTests) ran?.catch(() => undefined);

  it('is played by npm run sample', { timeout: 7 * TIMEOUT }, async () => {
    const { stdout } = await run(process.execPath, [RUNNER, '006', '--smoke'], { timeout: 5 * TIMEOUT });
    expect(JSON.parse(stdout)).toMatchObject({
      sample: '006-python-worker',
      ok: true,
      streamsOpenedByKill: 0,
    });
    expect(await leftBehindBy('006')).toEqual([]);
  });

  it.each(ownTests)('passes the tests in $folder', { timeout: 7 * TIMEOUT }, async ({ ran }) => {
    const { stderr } = await ran!;
    expect(stderr).toMatch(/\nRan [1-9]\d* tests in .*\n\nOK\n$/);
  });

  describe('in a cluster, with a camera that speaks RTSP', () => {
    let camera: RtspCamera;
    let worker: AppProcess;
    let cluster: LocalCluster;
    const log = new BoxLog();

    const detail = async () => (await worker.log()).slice(-3_000);
    const status = async (identifier: string) =>
      (await cluster.subscriptions()).subscriptions.find((s) => s.subscriptionIdentifier === identifier);
    /** Waits for so many more detections of a subscription, and answers them. */
    const more = async (identifier: string, count: number) => {
      await log.read(cluster.backends);
      const before = log.of(identifier).length;
      return waitFor(
        `${count} more detections of ${identifier}`,
        TIMEOUT,
        async () => {
          await log.read(cluster.backends);
          const fresh = log.of(identifier).slice(before);
          return fresh.length >= count ? fresh : null;
        },
        detail,
      );
    };

    beforeAll(async () => {
      [camera, worker, cluster] = await Promise.all([
        startRtspCamera(programs as PythonPrograms),
        startPythonWorker(programs!, { WORKER_TOKEN: TOKEN, FRAMES_PER_SECOND: '10' }),
        LocalCluster.start({
          backends: 0,
          workers: 0,
          seed: false,
          redisUrl: process.env.REDIS_URL,
          databaseUrl: process.env.DATABASE_URL,
        }),
      ]);
      const env = {
        DETECTOR_WORKERS: cluster.workerUrl(worker),
        WORKER_TOKEN: TOKEN,
        ELECTION_TIMING: 'fast',
      };
      await Promise.all([cluster.addBackend(env), cluster.addBackend(env)]);
      const post = (path: string, body: object) =>
        request<{ id: number }>(cluster.backends[0]!.url, 'POST', path, body, TIMEOUT);
      await post('/api/cameras', { cameraIdentifier: 'cam', rtspUrl: camera.url });
      const model = await post('/api/models', { name: 'motion', fileKey: 'none' });
      const playlist = await post('/api/playlists', { name: 'motion', modelId: model.id });
      const display = { cameraIdentifier: 'cam', playlistId: playlist.id };
      await post('/api/displays', { displayId: 'whole', ...display });
      await post('/api/displays', { displayId: 'left', ...display, ...CROP });
    });
    afterAll(async () => {
      await cluster?.stop();
      await Promise.all([worker?.stop(), camera?.stop()]);
    });

    it('finds what moves where it moves, through one stream, for each display in its crop', async () => {
      const [whole, left] = await Promise.all([more(WHOLE, 40), more(LEFT, 20)]);
      for (const { boxes, frameWidth, frameHeight, workerName } of whole) {
        expect({ frameWidth, frameHeight, workerName }).toEqual({
          frameWidth: 320,
          frameHeight: 240,
          workerName: 'python-worker',
        });
        for (const box of boxes) {
          expect(offTrack(box)).toBeLessThan(8);
          expect(Math.abs(box.height - SIDE)).toBeLessThan(16);
          expect(Math.abs(box.width - SIDE)).toBeLessThan(30);
        }
      }
      for (const { boxes } of left)
        for (const box of boxes) {
          expect(box.x + box.width).toBeLessThanOrEqual(CROP.cropX2);
          // At the edge of the crop a part of the square is seen, so its middle is not that of the box.
          expect(Math.abs(box.y - 20 - box.x / 2)).toBeLessThan(8);
        }
      const places = whole.map(({ boxes }) => boxes[0]!.x);
      expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(100);
      expect(await camera.viewers()).toBe(1);
    });

    it('reports its load, and shows pictures of the camera', async () => {
      const state = await cluster.state();
      expect(state.workers).toMatchObject([{ state: 'Ready', cpuUsage: expect.any(Number) }]);
      const answer = await fetch(`${cluster.backends[0]!.url}/api/cameras/cam/image`);
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      const picture = Buffer.from(await answer.arrayBuffer());
      expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      const unauthorised = await fetch(`${worker.url}/camera/${encodeURIComponent(WHOLE)}/image`);
      expect(unauthorised.status).toBe(401);
    });

    it('continues when the master is killed, without a new stream', async () => {
      const viewers = await camera.viewers();
      const [before] = (await more(WHOLE, 3)).slice(-1);
      const master = await masterOf(cluster);
      await master.crash();
      await masterOf(cluster, master);
      const after = await more(WHOLE, 20);
      expect(after.every(({ sequence }) => sequence > before!.sequence)).toBe(true);
      expect(await camera.viewers()).toBe(viewers);
      await master.start();
    });

    it('comes back when the camera does', async () => {
      await more(WHOLE, 1);
      await camera.crash();
      await waitFor('the camera to be called offline', TIMEOUT, async () =>
        (await status(WHOLE))?.reason === 'camera-offline' ? true : null,
      );
      expect(await fetch(`${cluster.backends[0]!.url}/api/cameras/cam/image`)).toMatchObject({ ok: false });
      await camera.start();
      await more(WHOLE, 5);
      await waitFor('the subscription to be active', TIMEOUT, async () =>
        (await status(WHOLE))?.status === 'active' ? true : null,
      );
    });

    it('is used again after it was killed and restarted', async () => {
      await worker.crash();
      await log.read(cluster.backends);
      const before = log.of(WHOLE).length;
      await worker.start();
      const first = await waitFor(
        'a detection of the new process',
        TIMEOUT,
        async () => {
          await log.read(cluster.backends);
          return log
            .of(WHOLE)
            .slice(before)
            .find(({ sequence }) => sequence < 10);
        },
        detail,
      );
      expect(first.boxes.length).toBeGreaterThan(0);
    });

    it('sends only messages that the master can read, and logs no password', async () => {
      await more(WHOLE, 1);
      for (const { url } of cluster.backends) {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        expect(metrics).toContain('detector_cluster_invalid_frames');
        const invalid = metrics
          .split('\n')
          .filter((line) => /^detector_cluster_\w*invalid\w*[ {]/.test(line));
        expect(invalid.filter((line) => !line.endsWith(' 0'))).toEqual([]);
      }
      const said = await worker.log();
      expect(said).toContain('127.0.0.1');
      for (const secret of [camera.password, encodeURIComponent(camera.password), TOKEN])
        expect(said).not.toContain(secret);
    });

    it('ends on a signal, and logs that', async () => {
      await more(WHOLE, 1);
      const url = cluster.workerUrl(worker);
      await worker.shutdown();
      const said = await worker.log();
      expect(said).toContain('shutting down');
      expect(said).not.toMatch(/Traceback|Fatal/);
      await waitFor('the master to notice', TIMEOUT, async () => {
        const { workers } = await cluster.state();
        return workers.find((other) => other.url === url)?.online === false ? true : null;
      });
    });
  });
});
