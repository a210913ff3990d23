import { hashPages } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

interface Field<T> {
  readonly text: string;
  readonly value: T | null;
}

/** A hash of JSON values that is read again and again. Parsing a text takes far longer than comparing it with the previous one. */
export class ParsedHash<T> {
  private fields: ReadonlyMap<string, Field<T>> = new Map();
  private current: ReadonlyMap<string, T> = new Map();
  /** The revision of {@link fields}; null if none is known. */
  private revision: string | null = null;

  /**
   * @param parse returns null for a text that is no such record, which gets no value
   * @param revisionKey what it holds changes after each change of the hash; left out: the hash is read each time
   */
  constructor(
    private readonly redis: Pick<Redis, 'get' | 'hscan'>,
    private readonly key: string,
    private readonly parse: (text: string, field: string) => T | null,
    private readonly revisionKey?: string,
  ) {}

  /** As last read. */
  get values(): ReadonlyMap<string, T> {
    return this.current;
  }

  /**
   * The values, a new map only after a change. Unchanged values are the same objects as before. If Redis fails, the call rejects and
   * changes nothing.
   */
  async read(): Promise<ReadonlyMap<string, T>> {
    // Before the hash: if that changes between both, the next call reads it again.
    const revision = this.revisionKey === undefined ? null : await this.redis.get(this.revisionKey);
    if (revision !== null && revision === this.revision) return this.current;
    const found = new Map<string, Field<T>>();
    let changed = false;
    for await (const page of hashPages(this.redis, this.key))
      for (const [field, text] of page) {
        const known = this.fields.get(field);
        const same = known?.text === text;
        changed ||= !same;
        found.set(field, same ? known : { text, value: this.parse(text, field) });
      }
    changed ||= found.size !== this.fields.size;
    this.fields = found;
    this.revision = revision;
    if (changed) this.current = valuesOf(found);
    return this.current;
  }
}

function valuesOf<T>(fields: ReadonlyMap<string, Field<T>>): ReadonlyMap<string, T> {
  const values = new Map<string, T>();
  for (const [field, { value }] of fields) if (value !== null) values.set(field, value);
  return values;
}
