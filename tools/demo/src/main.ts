import { LocalCluster } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Observer } from './observer.js';
import { smoke } from './smoke.js';
import { render } from './view.js';

const REFRESH = 500;
const PLAIN_SUMMARY_EVERY = 10;

/** Shows the cluster until `signal` aborts: redrawn in place on a terminal, plain lines elsewhere. */
async function showLive(cluster: LocalCluster, out: NodeJS.WriteStream, signal: AbortSignal): Promise<void> {
  const observer = new Observer(cluster, (event) => {
    if (!out.isTTY) out.write(`${event}\n`);
  });
  for (let n = 0; !signal.aborted; n++) {
    const snapshot = await observer.look();
    if (signal.aborted) return;
    if (out.isTTY) out.write(`\u001b[H\u001b[J${render(snapshot).join('\n')}\n`);
    else if (n > 0 && n % PLAIN_SUMMARY_EVERY === 0) out.write(`${summary(render(snapshot))}\n`);
    await sleep(REFRESH, undefined, { signal }).catch(() => undefined);
  }
}

/** The figures of a picture in one line. */
function summary(lines: readonly string[]): string {
  return lines
    .filter((line) => /^(master|subscriptions|detections) /.test(line))
    .map((line) => line.replace(/\s{2,}/g, ' '))
    .join(' | ');
}

const BACKENDS = 3;
const WORKERS = 3;

const { values } = parseArgs({ options: { smoke: { type: 'boolean', default: false } } });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

let cluster: LocalCluster;
try {
  cluster = await LocalCluster.start({
    backends: BACKENDS,
    workers: WORKERS,
    redisUrl: process.env.REDIS_URL || undefined,
    databaseUrl: process.env.DATABASE_URL || undefined,
    workerEnv: { DETECTIONS_PER_SECOND: '2' },
    progress: (message) => void process.stderr.write(`demo: ${message}\n`),
  });
} catch (error) {
  process.stderr.write(`demo: ${(error as Error).message}\n`);
  process.exit(1);
}

if (stop.signal.aborted) {
  await cluster.stop();
} else if (values.smoke) {
  const result = await smoke(cluster);
  await cluster.stop();
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exitCode = result.ok ? 0 : 1;
} else {
  for (const { name, url } of cluster.backends)
    process.stderr.write(`demo: ${name} shows the cluster at ${url}\n`);
  await showLive(cluster, process.stdout, stop.signal);
  process.stderr.write('demo: stopping\n');
  await cluster.stop();
}
