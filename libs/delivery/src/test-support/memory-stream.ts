import type { RawEntry } from '../log/log-store.js';

/** One entry of a stream. */
export interface StreamEntry {
  /** `<term>-<sequence>` */
  readonly id: string;
  readonly term: number;
  readonly sequence: number;
  readonly message: string;
  /** Of the message. */
  readonly bytes: number;
}

/** A Redis stream whose entries have explicit ids and one field. It exists, as in Redis, also without entries. */
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
  add(term: number, sequence: number, message: string): StreamEntry | undefined {
    if (compareIds({ term, sequence }, this.last) <= 0) return undefined;
    this.last = { term, sequence };
    const entry = { id: `${term}-${sequence}`, term, sequence, message, bytes: Buffer.byteLength(message) };
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

  after(cursor: string, count: number): RawEntry[] {
    const from = parseId(cursor);
    const found: RawEntry[] = [];
    for (const entry of this.items) {
      if (found.length === count) break;
      if (compareIds(entry, from) > 0) found.push([entry.id, entry.message]);
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
