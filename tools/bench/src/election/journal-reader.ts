import { LineReader, waitFor } from '@detector-cluster/dev-services';
import type { JournalEntry, JournalEvent } from './journal.js';

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
