import type { Registry } from 'prom-client';

/** Options of `MasterElectionMetricsModule.register`. */
export interface MasterElectionMetricsOptions {
  /** Names of the elections. Default: that of `forRoot`, `['default']`. */
  readonly elections?: readonly string[];
  /** Default: the default registry of prom-client. */
  readonly registry?: Registry;
}
