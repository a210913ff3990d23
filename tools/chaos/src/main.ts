import { SeededRandom } from '@detector-cluster/local-cluster';
import { parseChaosOptions, type ChaosOptions } from './chaos-options.js';
import { scenarios } from './scenarios.js';

const known = Object.keys(scenarios);

function readOptions(): ChaosOptions {
  try {
    return parseChaosOptions(process.argv.slice(2), known);
  } catch (error) {
    process.stderr.write(`chaos: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

const { names, short, seed, vanishMs } = readOptions();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stop.abort(new Error(`ended by ${signal}`)));

let allOk = true;
for (const scenario of names.length > 0 ? names : known) {
  const progress = (message: string) => void process.stderr.write(`chaos ${scenario}: ${message}\n`);
  progress(`seed ${seed}`);
  const result = await scenarios[scenario]!({
    short,
    random: new SeededRandom(seed),
    signal: stop.signal,
    vanishMs,
    redisUrl: process.env.REDIS_URL || undefined,
    databaseUrl: process.env.DATABASE_URL || undefined,
    progress,
  }).catch((error: unknown) => ({ ok: false, error: (error as Error).message }));
  const { ok, ...figures } = result;
  allOk &&= ok;
  process.stdout.write(`${JSON.stringify({ scenario, ok, seed, ...figures })}\n`);
  if (stop.signal.aborted) break;
}
process.exitCode = allOk ? 0 : 1;
