import type { TracerProvider } from '@opentelemetry/api';

/** Options of `DetectorClusterTracingModule.register`. */
export interface DetectorClusterTracingOptions {
  /** Where spans go. Default the global one, which an SDK may also register later. */
  readonly tracerProvider?: TracerProvider;
}
