import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import { PlainWorker } from '../workers/plain-worker.fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIME = String.raw`(20\d\d-\S+Z)`;

let workers: [PlainWorker, PlainWorker];
let process: ClusterProcess;
const warnings: string[] = [];

beforeAll(async () => {
  workers = [await PlainWorker.start(), await PlainWorker.start()];
  const logger = {
    log: () => {},
    error: () => {},
    warn: (message: unknown) => void warnings.push(String(message)),
  };
  const urls = workers.map(({ url }) => url);
  process = await ClusterProcess.start({ prefix: `{${randomUUID()}}:`, workers: urls, logger });
});
afterAll(async () => {
  await process.stop();
  for (const worker of workers) await worker.stop();
});

/** Waits for the one line that matches, and returns its groups. */
async function said(pattern: RegExp): Promise<string[]> {
  await eventually(String(pattern), 30_000, () => warnings.some((line) => pattern.test(line)));
  const found = warnings.filter((line) => pattern.test(line));
  expect(found).toHaveLength(1);
  return pattern.exec(found[0]!)!.slice(1);
}

it('logs that a worker refuses, blocks a drain and contradicts an unsubscribe, and until when', async () => {
  const [refusing, other] = workers;
  const { cluster } = process;
  refusing.stubborn = true;
  await cluster.cordonWorker(other.url);
  const begun = Date.now();
  await cluster.subscribeToCamera('d1;c1', 'rtsp://x', 'http://m/x', 1, 'cars', () => undefined);
  const [until] = await said(
    new RegExp(`^worker ${refusing.url} did not take these cameras in time .*: c1 \\(until ${TIME}\\)$`),
  );
  expect(Date.parse(until!) - begun).toBeGreaterThan(60_000);

  await cluster.uncordonWorker(other.url);
  await process.active(1);
  await cluster.drainWorker(other.url);
  const [chance] = await said(
    new RegExp(
      `^the drain of worker ${other.url} cannot proceed: .* has room: c1\\. .* again at ${TIME}\\.$`,
    ),
  );
  expect(chance).toBe(until);

  other.stubborn = true;
  await cluster.unsubscribeFromCamera('d1;c1');
  await said(
    new RegExp(`^worker ${other.url} still reports subscriptions that it was ordered to stop; .*: d1;c1$`),
  );
});
