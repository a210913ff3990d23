import type { SeededRandom } from '@detector-cluster/local-cluster';
import type { Histories } from './support/histories.js';

/** The context of a scenario. */
export interface ScenarioContext {
  /** Fewer rounds and detections, for continuous integration; the faults and the checks are the same. */
  readonly short: boolean;
  readonly random: SeededRandom;
  /** Aborts when the run must end: pending waits reject, and everything that was started is stopped. */
  readonly signal: AbortSignal;
  /** `--vanish-ms`: how long workers are disconnected in `partition`. */
  readonly vanishMs: number;
  /** `--from`: the commit with which `rolling` begins. Default: the present build. */
  readonly from?: string | undefined;
  /** `--hours`: how long `soak` takes. */
  readonly hours: number;
  /** `--report`: file for the charts of `soak`. */
  readonly report: string;
  /** A Redis to use instead of a private one, if the scenario does not disturb it. */
  readonly redisUrl: string | undefined;
  /** A Postgres server to use instead of a private one. */
  readonly databaseUrl: string | undefined;
  /** Script for backends instead of the scenario's own, for a test that breaks a promise. Relative to the repository's root. */
  readonly backendScript?: string | undefined;
  /** Where the histories of the run are kept. */
  readonly histories: Histories;
  /** Reports progress. */
  readonly progress: (message: string) => void;
}

/** `ok`: whether every promise held. The other figures are printed unchanged. */
export type Figures = { readonly ok: boolean } & Readonly<Record<string, unknown>>;

/** Sets everything up, injects faults, measures, and leaves nothing running. Rejects if it could not measure. */
export type Scenario = (context: ScenarioContext) => Promise<Figures>;
