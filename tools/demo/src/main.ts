import { LocalCluster } from '@detector-cluster/local-cluster';
import { parseArgs } from 'node:util';
import { showLive } from './live.js';
import { smoke } from './smoke.js';

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
