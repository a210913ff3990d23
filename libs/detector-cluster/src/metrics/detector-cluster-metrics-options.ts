import type { Registry } from 'prom-client';

/** Options of `DetectorClusterMetricsModule.register`. */
export interface DetectorClusterMetricsOptions {
  /** Default: that of prom-client. */
  readonly registry?: Registry;
}
