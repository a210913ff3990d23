import { backendsBench } from './backends/backends.bench.js';
import { parseBenchOptions, type BenchOptions } from './bench-options.js';
import { changeFeedBench } from './change-feed/change-feed.bench.js';
import { dashboardBench } from './dashboard/dashboard.bench.js';
import { connectionsBench } from './connections/connections.bench.js';
import { deliveryBench } from './delivery/delivery.bench.js';
import { electionBench } from './election/election.bench.js';
import { failoverBench } from './failover/failover.bench.js';
import { groupBench } from './group/detectors.bench.js';
import { planBench } from './plan/plan.bench.js';
import { scaleBench } from './scale/scale.bench.js';
import { stateBench } from './state/state.bench.js';
import { subscribeBench } from './subscribe/subscribe.bench.js';

const benches: Readonly<Record<string, (options: BenchOptions) => Promise<object>>> = {
  election: electionBench,
  failover: failoverBench,
  delivery: deliveryBench,
  connections: connectionsBench,
  plan: planBench,
  subscribe: subscribeBench,
  state: stateBench,
  scale: scaleBench,
  dashboard: dashboardBench,
  'change-feed': changeFeedBench,
  group: groupBench,
  backends: backendsBench,
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
