import { SeededRandom } from '@detector-cluster/local-cluster';
import { parseChaosOptions, type ChaosOptions } from './chaos-options.js';
import type { Figures, Scenario } from './scenario.js';
import { runSeeds } from './run-seeds.js';
import { Histories } from './support/histories.js';
import { deliveryScenario } from './delivery/delivery.scenario.js';
import { floodScenario } from './scenarios/flood.scenario.js';
import { aofTornScenario } from './scenarios/aof-torn.scenario.js';
import { clockScenario } from './scenarios/clock.scenario.js';
import { descriptorsScenario } from './scenarios/descriptors.scenario.js';
import { dnsScenario } from './scenarios/dns.scenario.js';
import { drainScenario } from './scenarios/drain.scenario.js';
import { fenceScenario } from './scenarios/fence.scenario.js';
import { herdScenario } from './scenarios/herd.scenario.js';
import { diskFullScenario, memoryFullScenario } from './scenarios/full-redis.scenario.js';
import { oneWayScenario } from './scenarios/one-way.scenario.js';
import { outage7MinScenario } from './scenarios/outage-7min.scenario.js';
import { partitionScenario } from './scenarios/partition.scenario.js';
import { postgresFailoverScenario } from './scenarios/postgres-failover.scenario.js';
import { redisFailoverScenario } from './scenarios/redis-failover.scenario.js';
import { redisOutageScenario } from './scenarios/redis-outage.scenario.js';
import { redisRestartScenario } from './scenarios/redis-restart.scenario.js';
import { rollingScenario } from './scenarios/rolling.scenario.js';
import { slowScenario } from './scenarios/slow.scenario.js';
import { stormScenario } from './scenarios/storm.scenario.js';
import { soakScenario } from './soak/soak.scenario.js';
import { tlsScenario } from './scenarios/tls.scenario.js';

/** All scenarios by name. */
const scenarios: Readonly<Record<string, Scenario>> = {
  delivery: deliveryScenario,
  fence: fenceScenario,
  partition: partitionScenario,
  herd: herdScenario,
  drain: drainScenario,
  storm: stormScenario,
  flood: floodScenario,
  'redis-restart': redisRestartScenario,
  'redis-failover': redisFailoverScenario,
  'redis-outage': redisOutageScenario,
  'disk-full': diskFullScenario,
  'memory-full': memoryFullScenario,
  'aof-torn': aofTornScenario,
  'one-way': oneWayScenario,
  slow: slowScenario,
  clock: clockScenario,
  dns: dnsScenario,
  'postgres-failover': postgresFailoverScenario,
  tls: tlsScenario,
  descriptors: descriptorsScenario,
  'outage-7min': outage7MinScenario,
  rolling: rollingScenario,
  soak: soakScenario,
};

const known = Object.keys(scenarios);

function readOptions(): ChaosOptions {
  try {
    return parseChaosOptions(process.argv.slice(2), known);
  } catch (error) {
    process.stderr.write(`chaos: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

const {
  from,
  histories: folder,
  names,
  short,
  seed: firstSeed,
  seeds,
  vanishMs,
  hours,
  report,
} = readOptions();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop.abort(new Error(`ended by ${signal}`)));

async function runOnce(scenario: string, seed: number): Promise<Figures> {
  const histories = new Histories(folder, scenario, seed);
  const progress = (message: string) => {
    histories.note(message);
    process.stderr.write(`chaos ${scenario}: ${message}\n`);
  };
  progress(`seed ${seed}`);
  const figures = await scenarios[scenario]!({
    short,
    random: new SeededRandom(seed),
    signal: stop.signal,
    vanishMs,
    from,
    hours,
    report,
    redisUrl: process.env.REDIS_URL || undefined,
    databaseUrl: process.env.DATABASE_URL || undefined,
    histories,
    progress,
  }).catch((error: unknown): Figures => ({ ok: false, error: (error as Error).message }));
  if (seeds !== undefined) progress(`seed ${seed} has ended: ${JSON.stringify(figures)}`);
  return figures;
}

let allOk = true;
for (const scenario of names.length > 0 ? names : known) {
  const { ok, ...figures } =
    seeds === undefined
      ? { seed: firstSeed, ...(await runOnce(scenario, firstSeed)) }
      : await runSeeds((seed) => runOnce(scenario, seed), firstSeed, seeds, stop.signal);
  allOk &&= ok;
  process.stdout.write(`${JSON.stringify({ scenario, ok, ...figures })}\n`);
  if (stop.signal.aborted) break;
}
// Node 20 can spin endlessly while it ends by itself.
process.exit(allOk ? 0 : 1);
