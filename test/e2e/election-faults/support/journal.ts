import { closeSync, openSync, readSync } from 'node:fs';
import type { JournalEntry } from './journal-entry.js';

const CHUNK = 256 * 1024;

/** Who leads, as one candidate knows it by its last word. */
export interface View {
  readonly leaderId: string | null;
  readonly term: number;
  readonly suspended: boolean;
}

/** Reads what the candidates of an election note, as it grows. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  /** By candidate. */
  readonly views = new Map<string, View>();
  private readonly file: number;
  private readonly buffer = Buffer.alloc(CHUNK);
  private position = 0;
  private rest = '';

  /** The file is made if it does not exist. */
  constructor(readonly path: string) {
    this.file = openSync(path, 'a+');
  }

  /** Reads what is new; returns the number of entries. */
  read(): number {
    for (;;) {
      const length = readSync(this.file, this.buffer, 0, CHUNK, this.position);
      if (length === 0) return this.entries.length;
      this.position += length;
      const lines = (this.rest + this.buffer.toString('latin1', 0, length)).split('\n');
      this.rest = lines.pop()!;
      for (const line of lines) this.add(JSON.parse(line) as JournalEntry);
    }
  }

  close(): void {
    closeSync(this.file);
  }

  private add(entry: JournalEntry): void {
    this.entries.push(entry);
    const { owner, kind } = entry;
    if (kind === 'acquired') this.views.set(owner, { leaderId: owner, term: entry.term, suspended: false });
    else if (kind === 'lost') this.views.set(owner, { leaderId: null, term: entry.term, suspended: false });
    else if (kind === 'follower')
      this.views.set(owner, { leaderId: entry.leaderId, term: entry.term, suspended: false });
    else if (kind === 'suspended' || kind === 'resumed')
      this.views.set(owner, { leaderId: owner, term: entry.term, suspended: kind === 'suspended' });
  }
}
