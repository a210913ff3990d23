import type { LogEntry } from '../log/log-store.js';

/** One entry of a stream: a batch of detections, or what another program has added. */
export interface StreamEntry {
  /** `<term>-<sequence>` */
  readonly id: string;
  readonly term: number;
  readonly sequence: number;
  /** The messages of its detections; of another program one text. */
  readonly lines: readonly string[];
  readonly isForeign: boolean;
  /** Of the messages, with the line breaks between them. */
  readonly bytes: number;
}

/** A Redis stream whose entries have explicit ids. It exists, as in Redis, also without entries. */
export class MemoryStream {
  private items: StreamEntry[] = [];
  private size = 0;
  private last = { term: 0, sequence: 0 };

  get length(): number {
    return this.items.length;
  }

  /** Bytes of all messages. */
  get bytes(): number {
    return this.size;
  }

  get lastTerm(): number {
    return this.last.term;
  }

  get lastSequence(): number {
    return this.last.sequence;
  }

  get entries(): readonly StreamEntry[] {
    return this.items;
  }

  /** Undefined when the id is not above the last one. */
  add(term: number, sequence: number, lines: readonly string[], isForeign = false): StreamEntry | undefined {
    if (compareIds({ term, sequence }, this.last) <= 0) return undefined;
    this.last = { term, sequence };
    const bytes = Buffer.byteLength(lines.join('\n'));
    const entry = { id: `${term}-${sequence}`, term, sequence, lines, isForeign, bytes };
    this.items.push(entry);
    this.size += entry.bytes;
    return entry;
  }

  copy(): MemoryStream {
    const copy = new MemoryStream();
    copy.items = [...this.items];
    copy.size = this.size;
    copy.last = this.last;
    return copy;
  }

  get(id: string): StreamEntry | undefined {
    return this.items.find((entry) => entry.id === id);
  }

  delete(id: string): StreamEntry | undefined {
    const entry = this.get(id);
    if (entry === undefined) return undefined;
    this.items.splice(this.items.indexOf(entry), 1);
    this.size -= entry.bytes;
    return entry;
  }

  deleteOldest(): StreamEntry {
    const oldest = this.items.shift()!;
    this.size -= oldest.bytes;
    return oldest;
  }

  /** Writes other messages into an entry. Returns how many bytes it has less. */
  rewrite(entry: StreamEntry, lines: readonly string[]): number {
    const bytes = Buffer.byteLength(lines.join('\n'));
    this.items[this.items.indexOf(entry)] = { ...entry, lines, bytes };
    this.size += bytes - entry.bytes;
    return entry.bytes - bytes;
  }

  after(cursor: string, count: number): LogEntry[] {
    const from = parseId(cursor);
    const found: LogEntry[] = [];
    for (const entry of this.items) {
      if (found.length === count) break;
      if (compareIds(entry, from) > 0)
        found.push({ id: entry.id, bytes: entry.bytes, messages: entry.lines });
    }
    return found;
  }
}

interface EntryId {
  readonly term: number;
  readonly sequence: number;
}

export function parseId(id: string): EntryId {
  const [term, sequence] = id.split('-').map(Number) as [number, number];
  return { term, sequence };
}

/** Negative where `a` comes first. */
export function compareIds(a: EntryId, b: EntryId): number {
  return a.term - b.term || a.sequence - b.sequence;
}
