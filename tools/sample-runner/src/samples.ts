import { parseArgs } from 'node:util';
import { cronOnOneReplica } from './cron-on-one-replica.js';
import { detectorCluster } from './detector-cluster.js';
import { displayWall } from './display-wall.js';
import { electionWithoutNest } from './election-without-nest.js';
import { leaderOnlyConsumer } from './leader-only-consumer.js';
import { migrationsOnce } from './migrations-once.js';
import { peopleCounter } from './people-counter.js';
import { pythonWorker } from './python-worker.js';
import type { SampleStage } from './sample-stage.js';

/** The options of the command line. */
export interface SampleOptions {
  readonly sample: Sample;
  /** Ends after the play, with one line of JSON. */
  readonly smoke: boolean;
}

/**
 * Reads `<number or name> [--smoke]`.
 * @throws TypeError that lists the samples.
 */
export function parseSampleOptions(args: readonly string[], samples: readonly Sample[]): SampleOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { smoke: { type: 'boolean', default: false } },
  });
  const [name = ''] = positionals;
  const sample = samples.find(({ folder }) => folder === name || folder.startsWith(`${name}-`));
  if (!sample || positionals.length > 1) {
    const asked = positionals.length === 0 ? 'which sample?' : `no such sample: ${positionals.join(' ')};`;
    throw new TypeError(`${asked} there are: ${samples.map(({ folder }) => folder).join(', ')}`);
  }
  return { sample, smoke: values.smoke };
}

/** The results of a play for the last line: counts, and durations in milliseconds. */
interface Figures {
  /** Whether all promises of the sample held. */
  readonly ok: boolean;
  readonly [figure: string]: number | boolean;
}

/** A sample: its requirements, and the play with its replicas. */
export interface Sample {
  /** Folder in `samples/`; begins with its number. */
  readonly folder: string;
  /** Whether it has a database. */
  readonly postgres: boolean;
  /**
   * Starts replicas and runs the play. The stage ends everything that the play has started.
   * @throws Error if something does not happen in time
   */
  play(stage: SampleStage): Promise<Figures>;
}

/** In the order of their numbers. */
export const samples: readonly Sample[] = [
  cronOnOneReplica,
  migrationsOnce,
  leaderOnlyConsumer,
  detectorCluster,
  electionWithoutNest,
  pythonWorker,
  displayWall,
  peopleCounter,
];
