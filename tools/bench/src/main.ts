import { parseBenchOptions, type BenchOptions } from './bench-options.js';
import { scaleBench } from './cluster/scale.bench.js';
import { changeFeedBench } from './cluster/change-feed.bench.js';
import { subscribeBench } from './cluster/subscribe.bench.js';
import { deliveryBench } from './delivery/delivery.bench.js';
import { backendsBench } from './election/backends.bench.js';
import { failoverBench } from './election/failover.bench.js';
import { groupBench } from './election/group.bench.js';
import { connectionsBench } from './service/connections.bench.js';
import { dashboardBench } from './service/dashboard.bench.js';

const benches: Readonly<Record<string, (options: BenchOptions) => Promise<object>>> = {
  failover: failoverBench,
  backends: backendsBench,
  group: groupBench,
  delivery: deliveryBench,
  scale: scaleBench,
  subscribe: subscribeBench,
  'change-feed': changeFeedBench,
  connections: connectionsBench,
  dashboard: dashboardBench,
};

function readOptions(): BenchOptions {
  try {
    const options = parseBenchOptions(process.argv.slice(2));
    const unknown = options.names.filter((name) => !(name in benches));
    if (unknown.length === 0) return options;
    throw new TypeError(
      `unknown benchmark: ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`,
    );
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

const options = readOptions();
for (const name of options.names.length > 0 ? options.names : Object.keys(benches)) {
  const figures = await benches[name]!(options);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  if ('ok' in figures && !figures.ok) process.exitCode = 1;
}
