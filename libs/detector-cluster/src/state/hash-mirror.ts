import type { Redis } from 'ioredis';
import type { FencedStore, GuardedOperation } from '../fence/fenced-store.js';

/** Keeps a Redis hash equal to a map of the master by writing only what differs. */
export class HashMirror {
  private written = new Map<string, string>();

  constructor(
    private readonly store: FencedStore,
    private readonly key: string,
  ) {}

  /** Reads what a predecessor left; the first {@link sync} then prunes what is no longer wanted. */
  async load(redis: Redis): Promise<ReadonlyMap<string, string>> {
    this.written = new Map(Object.entries(await redis.hgetall(this.key)));
    return this.written;
  }

  /** Writes the difference; returns the fields that were removed. Rejects and forgets nothing when Redis does not take it. */
  async sync(wanted: ReadonlyMap<string, string>): Promise<string[]> {
    const operations: GuardedOperation[] = [];
    const removed: string[] = [];
    for (const [field, value] of wanted)
      if (this.written.get(field) !== value) operations.push({ op: 'hset', key: this.key, field, value });
    for (const field of this.written.keys())
      if (!wanted.has(field)) {
        operations.push({ op: 'hdel', key: this.key, field });
        removed.push(field);
      }
    if (operations.length > 0) await this.store.write(operations);
    this.written = new Map(wanted);
    return removed;
  }
}
