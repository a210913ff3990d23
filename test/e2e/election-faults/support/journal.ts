import { LineReader } from '@detector-cluster/dev-services';
import type { JournalEntry } from './journal-entry.js';

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
  private readonly lines: LineReader;

  /** The file is made if it does not exist. */
  constructor(readonly path: string) {
    this.lines = new LineReader(path);
  }

  /** Reads what is new; returns the number of entries. */
  read(): number {
    for (const line of this.lines.read()) this.add(JSON.parse(line) as JournalEntry);
    return this.entries.length;
  }

  close(): void {
    this.lines.close();
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
