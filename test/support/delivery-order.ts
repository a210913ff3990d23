/** One callback start of a global listener. */
export interface Delivered {
  readonly processId: string;
  readonly detectionId: string;
  readonly subscription: string;
  /** Number of the detection within its subscription. */
  readonly n: number;
  readonly redelivered: boolean;
  readonly attempt: number;
  /** When the callback started: milliseconds on the monotonic clock that all processes of a machine share. */
  readonly at: number;
}

export function startInstant(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What is wrong with one callback start, given the starts of the same subscription before it. */
type Problem = 'out of order' | 'not marked redelivered' | 'interleaved';

/**
 * Judges callback starts across processes, by the instants at which they began. Per subscription: the first starts of detections
 * rise; a detection that starts once more is marked; and within one turn of a process numbers rise, so that two processes that
 * work on a subscription at the same time are found. Empty when all is well.
 */
export function orderProblems(delivered: readonly Delivered[]): string[] {
  const last = new Map<string, { readonly processId: string; readonly n: number; readonly most: number }>();
  const problems: string[] = [];
  for (const start of delivered.toSorted((a, b) => a.at - b.at)) {
    const { attempt, n, processId, redelivered, subscription } = start;
    const before = last.get(subscription) ?? { processId, n: -1, most: -1 };
    const found: Problem[] = [];
    if (n > before.most + 1) found.push('out of order');
    if (n <= before.most && !redelivered) found.push('not marked redelivered');
    if (processId === before.processId && attempt === 0 && n <= before.n) found.push('interleaved');
    for (const problem of found)
      problems.push(
        `${subscription}: ${n} at ${processId} after ${before.n} at ${before.processId}: ${problem}`,
      );
    last.set(subscription, { processId, n, most: Math.max(before.most, n) });
  }
  return problems;
}
