import { LineReader, waitFor } from '@detector-cluster/dev-services';
import { closeSync, openSync, writeSync } from 'node:fs';
import { sharedClock } from '../support/process-figures.js';

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
 * Appends to the journal of an election. The journal is also the resource that leaders write to: one file for all candidates
 * that accepts every write and keeps their order. A write is one system call, completed when the method returns.
 */
export class JournalWriter {
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, 'a');
  }

  add(event: JournalEvent): void {
    writeSync(this.file, `${sharedClock()} ${process.pid} ${event}\n`);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Reads the journal of an election as it grows. */
export class JournalReader {
  /** All entries read so far. */
  readonly entries: JournalEntry[] = [];
  private readonly lines: LineReader;

  /** Creates the file if it does not exist. */
  constructor(path: string) {
    this.lines = new LineReader(path);
  }

  /** Reads new entries. */
  read(): void {
    for (const line of this.lines.read()) {
      const [at, pid, event] = line.split(' ');
      this.entries.push({ at: Number(at), pid: Number(pid), event: event as JournalEvent });
    }
  }

  /** Resolves with the first matching entry from index `from` on; rejects with `what` after `timeout` ms. */
  waitFor(
    what: string,
    timeout: number,
    fits: (entry: JournalEntry) => boolean,
    from = 0,
  ): Promise<JournalEntry> {
    let next = from;
    return waitFor(what, timeout, () => {
      this.read();
      for (; next < this.entries.length; next++) if (fits(this.entries[next]!)) return this.entries[next]!;
      return null;
    });
  }

  close(): void {
    this.lines.close();
  }
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
