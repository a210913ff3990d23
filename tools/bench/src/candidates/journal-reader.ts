import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEntry, type JournalEntry } from './journal-entry.js';

const CHUNK = 64 * 1024;
const LOOK = 10;

/** Reads the journal of an election as it grows. */
export class JournalReader {
  /** All entries read so far. */
  readonly entries: JournalEntry[] = [];
  private readonly file: number;
  private readonly buffer = Buffer.alloc(CHUNK);
  private position = 0;
  private rest = '';

  /** Creates the file if it does not exist. */
  constructor(path: string) {
    this.file = openSync(path, 'a+');
  }

  /** Reads new entries. */
  read(): void {
    for (;;) {
      const length = readSync(this.file, this.buffer, 0, CHUNK, this.position);
      if (length === 0) return;
      this.position += length;
      const lines = (this.rest + this.buffer.toString('latin1', 0, length)).split('\n');
      this.rest = lines.pop()!;
      for (const line of lines) this.entries.push(parseEntry(line));
    }
  }

  /** Resolves with the first matching entry from index `from` on; rejects with `what` after `timeout` ms. */
  async waitFor(
    what: string,
    timeout: number,
    fits: (entry: JournalEntry) => boolean,
    from = 0,
  ): Promise<JournalEntry> {
    const deadline = performance.now() + timeout;
    for (let next = from; ; await sleep(LOOK)) {
      this.read();
      for (; next < this.entries.length; next++) if (fits(this.entries[next]!)) return this.entries[next]!;
      if (performance.now() > deadline) throw new Error(`timed out after ${timeout} ms: ${what}`);
    }
  }

  close(): void {
    closeSync(this.file);
  }
}
