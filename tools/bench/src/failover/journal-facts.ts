import type { JournalEntry } from '../candidates/journal.js';

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
