/** When something is due. Ticks are milliseconds since 1970, the same on every process. */
export interface Schedule {
  /** The first tick after a moment; `Infinity` when there is none. Never falls while the moment rises. */
  next(after: number): number;
}
