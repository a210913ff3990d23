import { parseArgs } from 'node:util';
import type { BackendOptions } from './backends/backends.bench.js';
import { chooseBackends } from './backends/choose-backends.js';
import type { DeliveryOptions } from './delivery/delivery.bench.js';
import type { ScaleOptions } from './scale/scale.bench.js';
import type { FailoverOptions } from './failover/failover.bench.js';

/** The options of the command line. */
export interface BenchOptions extends FailoverOptions, BackendOptions, DeliveryOptions, ScaleOptions {
  /** Names of benchmarks, in the order given. */
  readonly names: readonly string[];
}

/**
 * Reads `[name…] [--runs 30] [--peer-runs 5] [--timing default|fast] [--rounds 16] [--only name,name]
 * [--delivery-rounds 5] [--misroute 0] [--size 10000]`.
 * @throws TypeError that names the option and what it takes.
 */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '30' },
      'peer-runs': { type: 'string', default: '5' },
      timing: { type: 'string', default: 'default' },
      rounds: { type: 'string', default: '16' },
      only: { type: 'string', default: '' },
      'delivery-rounds': { type: 'string', default: '5' },
      misroute: { type: 'string', default: '0' },
      size: { type: 'string', default: '10000' },
    },
  });
  const { timing } = values;
  if (timing !== 'default' && timing !== 'fast')
    throw new TypeError(`--timing ${timing}: it takes "default" (a lease of 30 s) or "fast" (3 s)`);
  const only = values.only.split(',').filter((name) => name !== '');
  chooseBackends(only, process.env);
  return {
    names: positionals,
    runs: count('runs', values.runs, 1),
    peerRuns: count('peer-runs', values['peer-runs'], 0),
    timing,
    rounds: count('rounds', values.rounds, 1),
    only,
    deliveryRounds: count('delivery-rounds', values['delivery-rounds'], 1),
    misroute: count('misroute', values.misroute, 0),
    size: count('size', values.size, 100),
  };
}

function count(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least)
    throw new TypeError(`--${name} ${text}: it takes a whole number from ${least} on`);
  return value;
}
