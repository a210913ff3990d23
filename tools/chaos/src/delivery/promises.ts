/** Allowed duplicates per fault: the entries that a process has in flight. */
export const DUPLICATES_PER_FAULT = 64;

/** Longest allowed time without any acceptance, except excused times. Milliseconds. */
export const MOST_REFUSED = 3_000;

/** The measurements of a run of the scenario. */
export interface Measured {
  readonly lost: number;
  /**
   * Detections that Redis removed from full logs. The load leaves room for all the faults, so a full log means that a partition was not
   * read, or that the machine is too slow for the load.
   */
  readonly dropped: number;
  readonly lateStarts: number;
  readonly lateAcceptances: number;
  readonly unaccounted: number;
  /** Accepted detections whose entries are still in their stream after their callbacks have returned. */
  readonly unfinished: number;
  readonly duplicates: number;
  /** Number of faults that may cause duplicates. */
  readonly faults: number;
  /** Milliseconds. */
  readonly maxRefusedMs: number;
}

/** Names the promises that did not hold. */
export function brokenPromises(measured: Measured): (keyof Measured)[] {
  const { duplicates, faults, maxRefusedMs } = measured;
  const zeros = ['lost', 'dropped', 'lateStarts', 'lateAcceptances', 'unaccounted', 'unfinished'] as const;
  return [
    ...zeros.filter((name) => measured[name] !== 0),
    ...(duplicates > DUPLICATES_PER_FAULT * faults ? (['duplicates'] as const) : []),
    ...(maxRefusedMs > MOST_REFUSED ? (['maxRefusedMs'] as const) : []),
  ];
}
