import { Injectable, Scope, type LoggerService } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import type { ImageDetectionResponse } from '@detector-cluster/delivery';
import { InvalidClusterHandlerError } from './cluster-handler.explorer.js';
import { OnDetection, OnWorkerOffline, OnWorkerOnline } from './cluster-handler.js';
import { until } from '../../../../test/support/until.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

@Injectable()
class Plates {
  readonly all = new Set<string>();
  readonly one = new Set<string>();
  readonly workers: string[] = [];
  failures = 1;

  @OnDetection()
  onAny({ subscriptionIdentifier }: ImageDetectionResponse): void {
    this.all.add(subscriptionIdentifier);
  }

  @OnDetection('d1;c1')
  async onOne({ subscriptionIdentifier }: ImageDetectionResponse): Promise<void> {
    if (this.failures-- > 0) throw new Error('not yet');
    this.one.add(subscriptionIdentifier);
  }

  @OnWorkerOnline()
  onOnline({ url }: { url: string }): void {
    this.workers.push(`+${url}`);
    throw new Error('lamp is broken');
  }

  @OnWorkerOffline()
  onOffline({ url }: { url: string }): void {
    this.workers.push(`-${url}`);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class Fleeting {
  @OnWorkerOnline()
  on(): void {}
}

@Injectable()
class Mistaken {
  @OnDetection('d1')
  on(): void {}

  @OnDetection('a;b;c')
  off(): void {}
}

@Injectable()
class Holder {
  constructor(readonly fleeting: Fleeting) {}
}

function recorder() {
  const lines: string[] = [];
  const add = (message: unknown) => void lines.push(String(message));
  const logger: LoggerService = { log: () => undefined, warn: add, error: add };
  return { lines, logger };
}

describe('decorated methods', () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  it('get detections and events of workers, and their errors affect nothing else', async () => {
    const worker = await TestWorker.start({ DETECTIONS_PER_SECOND: '20' });
    const url = `ws://127.0.0.1:${worker.port}`;
    const { lines, logger } = recorder();
    const process = await ClusterProcess.start({
      prefix: `{${randomUUID()}}:`,
      workers: [url],
      providers: [Plates, Fleeting, Holder],
      logger,
    });
    running.push(process);
    const plates = process.app.get(Plates);
    for (const id of ['d1;c1', 'd2;c1'])
      await process.cluster.subscribeToCamera(id, 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
    await until(() => plates.all.size === 2 && plates.one.size === 1);
    expect([...plates.one]).toEqual(['d1;c1']);
    expect(plates.failures).toBeLessThan(0);

    await worker.stop();
    await until(() => plates.workers.length === 2);
    expect(plates.workers).toEqual([`+${url}`, `-${url}`]);
    expect(lines).toContain('Plates.onOnline failed: lamp is broken');
    expect(lines).toContainEqual(
      expect.stringMatching(/^@OnWorkerOnline on Fleeting\.on is without effect: its class is transient/),
    );
  });

  it('stop the start when they can never be called, with all problems at once', async () => {
    const start = ClusterProcess.start({
      prefix: `{${randomUUID()}}:`,
      workers: [],
      providers: [Mistaken],
    });
    const error = await start.then(
      () => null,
      (thrown: unknown) => thrown as InvalidClusterHandlerError,
    );
    expect(error).toBeInstanceOf(InvalidClusterHandlerError);
    expect(error!.problems).toEqual([
      expect.stringMatching(/^@OnDetection on Mistaken\.on: subscriptionIdentifier: /),
      expect.stringMatching(/^@OnDetection on Mistaken\.off: subscriptionIdentifier: /),
    ]);
  });
});
