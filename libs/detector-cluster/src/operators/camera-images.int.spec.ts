import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

async function direct(workers: readonly TestWorker[], id: string): Promise<Buffer> {
  for (const worker of workers) {
    const response = await worker.fetch(`/camera/${encodeURIComponent(id)}/image`);
    if (response.ok) return Buffer.from(await response.arrayBuffer());
  }
  throw new Error(`no worker has ${id}`);
}

describe('images of cameras', () => {
  let workers: TestWorker[];
  let processes: ClusterProcess[];
  beforeEach(async () => {
    workers = [await TestWorker.start(), await TestWorker.start()];
    const options = {
      prefix: `{${randomUUID()}}:`,
      workers: workers.map(({ port }) => `ws://127.0.0.1:${port}`),
    };
    processes = [await ClusterProcess.start(options), await ClusterProcess.start(options)];
    for (const id of ['d1;c1', 'd2;c2', 'd1;ü/2'])
      await processes[0]!.cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await processes[0]!.active(3);
  });
  afterEach(async () => {
    for (const one of [...processes, ...workers]) await one.stop();
  });

  it('come from the worker that runs the camera, on every process', async () => {
    for (const { cluster } of processes)
      for (const id of ['d1;c1', 'd2;c2', 'd1;ü/2']) {
        // Redis may not have the latest reports of the workers yet.
        await until(async () => (await cluster.getCameraImage(id).catch(() => null)) !== null);
        for (const name of [id, id.split(';')[1]!])
          await until(async () => {
            const before = await direct(workers, id);
            const image = await cluster.getCameraImage(name);
            // A picture that changed between the two questions proves nothing.
            if (!before.equals(await direct(workers, id))) return false;
            expect(image).toEqual(before);
            return true;
          });
      }
  });

  it('fail with a named error', async () => {
    const { cluster } = processes[1]!;
    await expect(cluster.getCameraImage('d9;c9')).rejects.toMatchObject({ code: 'CAMERA_NOT_HOSTED' });
    await expect(cluster.getCameraImage('a;b;c')).rejects.toThrow(/^identifier: /);
    await expect(cluster.getCameraImage(7 as never)).rejects.toThrow(/^identifier: /);
    await until(async () => (await cluster.getCameraImage('c1').catch(() => null)) !== null);
    for (const worker of workers) await worker.putFaults({ offline: ['c1'] });
    await expect(cluster.getCameraImage('d1;c1')).rejects.toMatchObject({ problem: 'no-frame' });
  });
});
