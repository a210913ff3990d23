import { request } from '@detector-cluster/local-cluster';
import type { SentByWorker } from '@detector-cluster/history';
import type { ChaosStage } from './chaos-stage.js';
import { until } from './until.js';

/** Has the workers make no more detections of `camera-1` …, and waits until masters have confirmed all that they have made. */
export async function endSending(
  { links }: ChaosStage,
  cameras: number,
  signal: AbortSignal,
  limit?: number,
): Promise<SentByWorker[]> {
  const offline = Array.from({ length: cameras }, (_, i) => `camera-${i + 1}`);
  await Promise.all(links.map(({ workerUrl }) => request(workerUrl, 'PUT', '/faults', { offline })));
  const reports = await until(
    signal,
    'every detection to be confirmed',
    async () => {
      const all = await Promise.all(links.map((link) => link.stats()));
      return all.every(({ unconfirmed }) => unconfirmed === 0) ? all : null;
    },
    limit,
  );
  return reports.map(({ sequences, unsent }, i) => ({
    workerUrl: links[i]!.url,
    sequences,
    dropped: unsent,
  }));
}
