import type { Rows } from '@detector-cluster/dashboard-protocol';
import { hashPages } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

interface Field<Row> {
  readonly text: string;
  readonly row: Row | null;
}

/**
 * A hash of Redis as rows, read again and again. Only fields whose text has changed are looked into, which is what makes it
 * cheap to read thousands each second.
 */
export class FollowedHash<Row> {
  private fields = new Map<string, Field<Row>>();
  private current: Rows<Row> = empty();

  /** @param toRow null for a field that cannot be read; it has no row then */
  constructor(
    private readonly key: string,
    private readonly toRow: (field: string, text: string) => Row | null,
  ) {}

  /** Another object after each reading that found a change, and only then. Without a prototype: names come from outside. */
  get rows(): Rows<Row> {
    return this.current;
  }

  get size(): number {
    return this.fields.size;
  }

  /** Whether a field is new, has another text or is gone. Rejects as Redis does; nothing has changed then. */
  async read(redis: Pick<Redis, 'hscan'>): Promise<boolean> {
    const found = new Map<string, Field<Row>>();
    let changed = false;
    for await (const page of hashPages(redis, this.key))
      for (const [name, text] of page) {
        const known = this.fields.get(name);
        const same = known?.text === text;
        changed ||= !same;
        found.set(name, same ? known : { text, row: this.toRow(name, text) });
      }
    changed ||= found.size !== this.fields.size;
    this.fields = found;
    if (changed) this.current = rowsOf(found);
    return changed;
  }
}

function rowsOf<Row>(fields: ReadonlyMap<string, Field<Row>>): Rows<Row> {
  const rows = empty<Row>();
  for (const [name, { row }] of fields) if (row !== null) rows[name] = row;
  return rows;
}

function empty<Row>(): Record<string, Row> {
  return Object.create(null) as Record<string, Row>;
}
