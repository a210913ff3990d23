/** Events in a candidate's journal: it competes, it was elected, it acted as leader. */
export type JournalEvent = 'joined' | 'elected' | 'wrote';

/** One line of a journal. Lines of all processes are in the order of their writes. */
export interface JournalEntry {
  /** Milliseconds on the clock that all processes share. */
  readonly at: number;
  /** Process id of the candidate. */
  readonly pid: number;
  readonly event: JournalEvent;
}

/**
 * How often the process `pid` wrote after another process had been elected and before it was elected again itself. Begins at
 * entry `from`.
 */
export function staleWrites(entries: readonly JournalEntry[], pid: number, from: number): number {
  let replaced = false;
  let count = 0;
  for (const entry of entries.slice(from)) {
    if (entry.event === 'elected') replaced = entry.pid !== pid;
    else if (entry.event === 'wrote' && entry.pid === pid && replaced) count++;
  }
  return count;
}

/** How many milliseconds after `end` the last write up to `until` came; 0 without such a write. */
export function claimedBeyond(entries: readonly JournalEntry[], end: number, until: number): number {
  const last = entries.findLast(({ event, at }) => event === 'wrote' && at <= until)?.at ?? end;
  return Math.max(0, Math.round(last - end));
}
