import type { SeededRandom } from '@detector-cluster/local-cluster';

/** What a scenario is given. */
export interface ScenarioContext {
  /** Fewer rounds and detections, for continuous integration; the faults and the checks are the same. */
  readonly short: boolean;
  readonly random: SeededRandom;
  /** Aborts when the run is to end: whatever waits rejects, and everything that was started is stopped. */
  readonly signal: AbortSignal;
  /** `--vanish-ms`: how long workers are cut off in `partition`. */
  readonly vanishMs: number;
  /** A Redis to use instead of a private one, where the scenario does not harm it. */
  readonly redisUrl: string | undefined;
  /** A Postgres server to use instead of a private one. */
  readonly databaseUrl: string | undefined;
  /** Backends run this script instead of the scenario's own: a test breaks a promise with it. Relative to the repository's root. */
  readonly backendScript?: string | undefined;
  /** Says how far it is. */
  readonly progress: (message: string) => void;
}

/** `ok`: whether every promise held. The other figures are printed as they are. */
export type Figures = { readonly ok: boolean } & Readonly<Record<string, unknown>>;

/** Sets everything up, does harm, measures, and leaves nothing running. Rejects when it could not measure. */
export type Scenario = (context: ScenarioContext) => Promise<Figures>;
