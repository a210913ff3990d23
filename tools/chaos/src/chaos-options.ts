import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface ChaosOptions {
  /** Names of scenarios, in the order given; none means all. */
  readonly names: readonly string[];
  readonly short: boolean;
  /** Seed of all random choices; the same seed draws the same faults. With `seeds`, the first of them. */
  readonly seed: number;
  /** Number of seeds per scenario, with one line of output for all; undefined: one run with `seed`. */
  readonly seeds: number | undefined;
  /** Milliseconds. */
  readonly vanishMs: number;
  /** A commit as git names it; undefined: the present build. */
  readonly from: string | undefined;
  /** Folder for the histories of the runs. */
  readonly histories: string;
  /** How long `soak` takes. */
  readonly hours: number;
  /** File for the charts of `soak`. */
  readonly report: string;
}

/**
 * Reads `[scenario…] [--short] [--seed 1] [--seeds 20] [--vanish-ms 40000] [--from <commit>] [--histories histories] [--hours 0.5]
 * [--report soak.html]`.
 * @throws TypeError that names the option and what it takes.
 */
export function parseChaosOptions(
  args: readonly string[],
  known: readonly string[],
  drawSeed: () => number = () => Math.floor(Math.random() * 2 ** 31),
): ChaosOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      seeds: { type: 'string' },
      'vanish-ms': { type: 'string', default: '40000' },
      from: { type: 'string' },
      histories: { type: 'string', default: 'histories' },
      hours: { type: 'string' },
      report: { type: 'string', default: 'soak.html' },
    },
  });
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`unknown scenario: ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  return {
    names: positionals,
    short: values.short,
    seed: values.seed === undefined ? drawSeed() : whole('seed', values.seed, 0),
    seeds: values.seeds === undefined ? undefined : whole('seeds', values.seeds, 1),
    vanishMs: whole('vanish-ms', values['vanish-ms'], 1),
    from: values.from,
    histories: values.histories,
    hours: hours(values.hours ?? (values.short ? '0.05' : '0.5')),
    report: values.report,
  };
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least)
    throw new TypeError(`--${name} must be a whole number of at least ${least}, got "${text}"`);
  return value;
}

function hours(text: string): number {
  const value = Number(text);
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(text) || value === 0)
    throw new TypeError(`--hours must be a number above 0, such as 0.5, got "${text}"`);
  return value;
}
