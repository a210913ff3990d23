import { deliveryBench } from './delivery/delivery.bench.js';
import { electionBench } from './election/election.bench.js';
import { failoverBench } from './failover/failover.bench.js';
import { planBench } from './plan/plan.bench.js';

const benches: Readonly<Record<string, () => Promise<object>>> = {
  election: electionBench,
  failover: failoverBench,
  delivery: deliveryBench,
  plan: planBench,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown benchmark: ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}\n`,
  );
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(benches))
  process.stdout.write(`${JSON.stringify(await benches[name]!())}\n`);
