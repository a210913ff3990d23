import type { GuardedCommand } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import type { FencedStore } from '../fence/fenced-store.js';

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
    const commands: GuardedCommand[] = [];
    const removed: string[] = [];
    for (const [field, value] of wanted)
      if (this.written.get(field) !== value) commands.push(['HSET', this.key, field, value]);
    for (const field of this.written.keys())
      if (!wanted.has(field)) {
        commands.push(['HDEL', this.key, field]);
        removed.push(field);
      }
    if (commands.length > 0) await this.store.write(commands);
    this.written = new Map(wanted);
    return removed;
  }
}
