import { RESOLUTIONS, type HistoryRange } from '@detector-cluster/dashboard-protocol';

/** Keys of the history, in the slot of the cluster's fence: a guarded write touches both. */
export const historyKeys = (keyPrefix: string) => ({
  /** Hash, a ring: slot → record of the interval that used it last. */
  ring: (range: HistoryRange) => `${keyPrefix}dashboard:history:${range}`,
  /** JSON: the workers with a line of their own, by the index of their loads in records. */
  lines: `${keyPrefix}dashboard:history:workers`,
});

export type HistoryKeys = ReturnType<typeof historyKeys>;

/** The start of the interval that contains an instant. Milliseconds since 1970. */
export const intervalOf = (range: HistoryRange, at: number): number => at - (at % RESOLUTIONS[range].step);

/** The slot of an interval in the ring, which has one for each interval of its span. */
export function slotOf(range: HistoryRange, at: number): string {
  const { span, step } = RESOLUTIONS[range];
  return String(Math.floor(at / step) % (span / step));
}
