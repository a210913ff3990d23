import { parseArgs } from 'node:util';
import { chooseBackends } from './election/bench-backends.js';

/** The options of the command line. A benchmark ignores those of others. */
export interface BenchOptions {
  /** Names of benchmarks, in the order given. */
  readonly names: readonly string[];
  /** How often a benchmark repeats what it measures. Default: each has its own. */
  readonly runs: number | undefined;
  /** `failover`: runs of each kind of end with each other library; 0 omits them. */
  readonly peerRuns: number;
  /** `failover`: election timing of our library when masters are killed. */
  readonly timing: 'default' | 'fast';
  /** `backends`: names of backends; empty for all. */
  readonly only: readonly string[];
  /** `delivery`: how many detections are lost on purpose, to check that the benchmark notices. */
  readonly misroute: number;
  /** `scale`: where the desired state is. */
  readonly source: 'memory' | 'postgres';
  /** `scale` and `dashboard`: subscriptions. Default: each has its own. */
  readonly size: number | undefined;
}

/**
 * Reads `[name…] [--runs 30] [--peer-runs 5] [--timing default|fast] [--only name,name] [--misroute 0] [--source postgres|memory]
 * [--size 100]`.
 * @throws TypeError that names the option and what it takes.
 */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      'peer-runs': { type: 'string', default: '5' },
      timing: { type: 'string', default: 'default' },
      only: { type: 'string', default: '' },
      misroute: { type: 'string', default: '0' },
      source: { type: 'string', default: 'postgres' },
      size: { type: 'string' },
    },
  });
  const { runs, size, source, timing } = values;
  if (timing !== 'default' && timing !== 'fast')
    throw new TypeError(`--timing ${timing}: it takes "default" (a lease of 30 s) or "fast" (3 s)`);
  if (source !== 'memory' && source !== 'postgres')
    throw new TypeError(`--source ${source}: it takes "postgres" or "memory"`);
  const only = values.only.split(',').filter((name) => name !== '');
  chooseBackends(only, process.env);
  return {
    names: positionals,
    runs: runs === undefined ? undefined : count('runs', runs, 1),
    peerRuns: count('peer-runs', values['peer-runs'], 0),
    timing,
    only,
    misroute: count('misroute', values.misroute, 0),
    source,
    size: size === undefined ? undefined : count('size', size, 100),
  };
}

function count(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least)
    throw new TypeError(`--${name} ${text}: it takes a whole number from ${least} on`);
  return value;
}
