/** The part of Nest's `Logger` that the cluster uses. */
export interface ClusterLogger {
  log(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  debug(message: string): void;
}
