import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@detector-cluster/dev-services';
import { BACKEND_SCRIPT, ListeningPage, startApp, type AppProcess } from '@detector-cluster/local-cluster';
import { applyMigrations, MIGRATIONS_DIRECTORY } from '@detector-cluster/migrate';
import type { BenchOptions } from '../bench-options.js';
import { BenchCluster } from '../cluster/bench-cluster.js';
import { roundTo } from '../support/percentile.js';
import { cpuSeconds, progress } from '../support/process-figures.js';
import { measureInBrowser } from './browser-page.js';

/** Pages of the second measurement, to show the cost of a further page. */
const MORE_PAGES = 10;

/** Duration of one measurement: several reports of every worker. Milliseconds. */
const WINDOW = 20_000;

/** Subscriptions on each worker: the page shows the workers, so there are more of them than elsewhere. */
const PER_WORKER = 50;

/** Time to wait after a change, until the cluster is idle. Milliseconds. */
const SETTLE = 3_000;

/**
 * Measures what a page costs the process that feeds it, while workers report `size` subscriptions: a follower of the reference
 * service, with and without pages. Then measures the page itself in Chromium, if there is one. Shares are of one core.
 */
export async function dashboardBench({ size = 50_000 }: BenchOptions) {
  const workers = Math.ceil(size / PER_WORKER);
  const cluster = await BenchCluster.start({ workers, subscriptions: size });
  const postgres = await startPostgres();
  let service: AppProcess | null = null;
  const end = async () => {
    await service?.stop();
    await Promise.all([cluster.stop(), postgres.stop()]);
  };
  try {
    await applyMigrations(postgres.url, MIGRATIONS_DIRECTORY);
    await cluster.fill();
    service = await startApp({
      name: 'backend',
      script: BACKEND_SCRIPT,
      readyPath: '/health/ready',
      env: { ...cluster.serviceEnv, DATABASE_URL: postgres.url },
    });
    const { url } = service;
    const before = await measure('no page', url, 0);
    const one = await measure('one page', url, 1);
    const more = await measure(`${MORE_PAGES} pages`, url, MORE_PAGES);
    const after = await measure('no page again', url, 0);
    const browser = await measureInBrowser(url, end);
    const idle = (before.cpuShare + after.cpuShare) / 2;
    return {
      bench: 'dashboard',
      workers,
      subscriptions: size,
      pages: 1,
      cpuShare: rounded(one.cpuShare - idle),
      bytesPerSecond: one.bytesPerSecond,
      snapshotWireBytes: one.snapshot?.wireBytes,
      snapshotBytes: one.snapshot?.bytes,
      cpuShareOfFurtherPage: rounded((more.cpuShare - one.cpuShare) / (MORE_PAGES - 1)),
      cpuShareWithoutPage: [rounded(before.cpuShare), rounded(after.cpuShare)],
      browser,
    };
  } finally {
    await end();
  }
}

async function measure(name: string, url: string, count: number) {
  const pages = await Promise.all(Array.from({ length: count }, () => ListeningPage.open(url)));
  const snapshot = pages[0]?.snapshot;
  await sleep(SETTLE);
  const bytes = () => pages.reduce((sum, page) => sum + page.bytes, 0);
  const from = { cpu: await cpuSeconds(url), bytes: bytes(), at: performance.now() };
  await sleep(WINDOW);
  const to = { cpu: await cpuSeconds(url), bytes: bytes(), at: performance.now() };
  await Promise.all(pages.map((page) => page.close()));
  const seconds = (to.at - from.at) / 1_000;
  const figures = {
    cpuShare: (to.cpu - from.cpu) / seconds,
    bytesPerSecond: count === 0 ? 0 : Math.round((to.bytes - from.bytes) / seconds / count),
    snapshot,
  };
  progress(`dashboard: ${name}: ${JSON.stringify(figures)}`);
  return figures;
}

const rounded = (share: number): number => roundTo(share, 4);
