import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesiredState } from '../sources/desired-state-source.js';
import { DetectorCluster } from '../node/detector-cluster.js';
import { DetectorClusterModule } from '../nest/detector-cluster.module.js';
import { DetectorClusterHealthIndicator } from '../nest/detector-cluster.health-indicator.js';
import { DetectorClusterHealthModule } from '../nest/detector-cluster-health.module.js';
import type { DetectorClusterOptions } from '../options/detector-cluster-options.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';
import { eventually } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;
const never = () => new Promise<never>(() => undefined);

const subscription = (id: string, modelId: number, rtspUrl = 'rtsp://x') => ({
  subscriptionIdentifier: id,
  rtspUrl,
  modelId,
  modelName: `model-${modelId}`,
  createdAt: '2026-01-01T00:00:00.000Z',
});

const status = (cluster: DetectorCluster, id: string, wanted: string) =>
  eventually(`${id} to be ${wanted}`, TIMEOUT, async () => {
    const { subscriptions } = await cluster.getSubscriptions();
    const found = subscriptions.find(({ subscriptionIdentifier }) => subscriptionIdentifier === id);
    return `${found?.status}/${found?.reason}` === wanted;
  });

describe('a callback of the application that never answers', () => {
  let workers: PlainWorker[];
  let app: INestApplicationContext | undefined;
  const logged: string[] = [];
  const note = (message: unknown) => void logged.push(String(message));

  beforeEach(async () => {
    workers = [await PlainWorker.start(), await PlainWorker.start()];
    logged.length = 0;
    app = undefined;
  });
  afterEach(async () => {
    await app?.close();
    for (const worker of workers) await worker.stop();
  });

  async function start(options: Partial<DetectorClusterOptions>): Promise<DetectorCluster> {
    const redis = process.env.REDIS_URL!;
    const prefix = `{${randomUUID()}}:`;
    class TestModule {}
    app = await NestFactory.createApplicationContext(
      {
        module: TestModule,
        imports: [
          MasterElectionModule.forRoot({
            redis,
            timing: 'fast',
            lockName: `${prefix}election`,
            isGlobal: true,
          }),
          DetectorClusterModule.forRoot({
            redis,
            keyPrefix: prefix,
            workers: workers.map(({ url }) => url),
            ...options,
          }),
          DetectorClusterHealthModule,
          TerminusModule,
        ],
      },
      { logger: { log: note, warn: note, error: note, debug: () => undefined } },
    );
    await app.get(MasterElection).waitForElectionComplete();
    return app.get(DetectorCluster);
  }

  async function closesSoon(): Promise<void> {
    const began = performance.now();
    await app!.close();
    app = undefined;
    expect(performance.now() - began).toBeLessThan(8_000);
  }

  it('delays only the subscriptions of one model, if it makes the URLs of models', async () => {
    let rows = [subscription('d1;c1', 1), subscription('d2;c2', 2)];
    const cluster = await start({
      desiredState: { read: async () => ({ subscriptions: rows, skipped: [] }) },
      modelUrl: { urlFor: ({ modelId }) => (modelId === 2 ? never() : Promise.resolve('http://m/1')) },
      timings: { callTimeout: 2_000 },
    });
    await status(cluster, 'd1;c1', 'active/streaming');
    await status(cluster, 'd2;c2', 'pending/model-url-unavailable');
    rows = [subscription('d1;c1', 1, 'rtsp://y'), ...rows.slice(1), subscription('d3;c3', 1)];
    await cluster.regenerate();
    await status(cluster, 'd3;c3', 'active/streaming');
    await eventually('the change', TIMEOUT, () =>
      workers.some((worker) => worker.addresses.get('d1;c1') === 'rtsp://y'),
    );
    await eventually('a log line', TIMEOUT, () =>
      logged.some((line) =>
        line.includes('d2;c2: modelUrl.urlFor of model 2 has not answered within 2000 ms'),
      ),
    );
    const health = app!.get(DetectorClusterHealthIndicator, { strict: false });
    await eventually('health', TIMEOUT, async () => {
      const { status, reason } = (await health.isHealthy('cluster')).cluster;
      return status === 'degraded' && reason!.startsWith('modelUrl.urlFor of model 2 has not answered for ');
    });
    await closesSoon();
  });

  it('delays neither explicit subscriptions nor the end of the application, if it reads the desired state', async () => {
    let hangs = true;
    const state: DesiredState = { subscriptions: [subscription('d1;c1', 1)], skipped: [] };
    const cluster = await start({
      desiredState: { read: () => (hangs ? never() : Promise.resolve(state)) },
      modelUrl: { urlFor: () => Promise.resolve('http://m/1') },
      timings: { readTimeout: 4_000 },
    });
    await cluster.subscribeToCamera('d2;c2', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await status(cluster, 'd2;c2', 'active/streaming');
    await eventually('a log line', TIMEOUT, () =>
      logged.some((line) => line.includes('desiredState.read has not answered within 4000 ms')),
    );
    hangs = false;
    await status(cluster, 'd1;c1', 'active/streaming');
    hangs = true;
    void cluster.regenerate().catch(() => undefined);
    await closesSoon();
  });

  it('ends no subscription, and is closed, if it hangs between the pages of the desired state', async () => {
    let hangs = false;
    let closed = 0;
    const read = (): AsyncIterable<DesiredState> => {
      const pages = [subscription('d1;c1', 1), subscription('d2;c2', 1)];
      return {
        [Symbol.asyncIterator]: () => ({
          async next() {
            if (hangs && pages.length === 1) return await never();
            const [row] = pages.splice(0, 1);
            return row === undefined
              ? { done: true, value: undefined }
              : { done: false, value: { subscriptions: [row], skipped: [] } };
          },
          async return() {
            closed++;
            return { done: true, value: undefined };
          },
        }),
      };
    };
    const cluster = await start({
      desiredState: { read },
      modelUrl: { urlFor: () => Promise.resolve('http://m/1') },
      timings: { readTimeout: 2_000 },
    });
    await status(cluster, 'd2;c2', 'active/streaming');
    expect(closed).toBe(0);
    hangs = true;
    await expect(cluster.regenerate()).rejects.toThrow();
    expect(logged.some((line) => line.includes('desiredState.read has not answered within 2000 ms'))).toBe(
      true,
    );
    expect(closed).toBeGreaterThan(0);
    await status(cluster, 'd1;c1', 'active/streaming');
    await status(cluster, 'd2;c2', 'active/streaming');
    hangs = false;
    await cluster.regenerate();
    hangs = true;
    void cluster.regenerate().catch(() => undefined);
    await closesSoon();
  });

  it('delays neither the master nor the end of the application, if it lists the workers', async () => {
    let hangs = false;
    const list = workers.map(({ url }) => url);
    const cluster = await start({
      workers: () => (hangs ? never() : Promise.resolve(list)),
      timings: { callTimeout: 2_000 },
    });
    await cluster.subscribeToCamera('d1;c1', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await status(cluster, 'd1;c1', 'active/streaming');
    hangs = true;
    // The next term begins with the worker list that this process knows.
    await cluster.resignMaster();
    await cluster.subscribeToCamera('d2;c2', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await status(cluster, 'd2;c2', 'active/streaming');
    await eventually('a log line', TIMEOUT, () =>
      logged.some((line) => line.includes('the last one stands: workers has not answered within 2000 ms')),
    );
    await closesSoon();
  });
});
