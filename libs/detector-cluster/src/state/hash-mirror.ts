import type { GuardedCommand } from '@detector-cluster/election/fence';
import { readHash } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { FencedStore } from '../fence/fenced-store.js';

/** Keeps a Redis hash equal to a map of the master by writing only what differs. */
export class HashMirror {
  private written = new Map<string, string>();
  /** Redis may have lost what was written. */
  private doubted = false;

  constructor(
    private readonly store: FencedStore,
    private readonly key: string,
  ) {}

  /** Reads what a predecessor left; the first {@link sync} then prunes what is no longer wanted. */
  async load(redis: Redis): Promise<ReadonlyMap<string, string>> {
    this.written = await readHash(redis, this.key);
    return this.written;
  }

  /** Redis may have lost some of what it took, by a failover to a replica that was behind: the next {@link sync} looks. */
  doubt(): void {
    this.doubted = true;
  }

  /**
   * Writes the difference; returns the fields that were removed. Rejects when Redis does not take it; the next call goes on
   * with what was not written yet.
   */
  async sync(wanted: ReadonlyMap<string, string>): Promise<string[]> {
    if (this.doubted) {
      this.doubted = false;
      try {
        this.written = await readHash(this.store.redis, this.key);
      } catch (error) {
        this.doubted = true;
        throw error;
      }
    }
    const changes: Change[] = [];
    for (const [field, value] of wanted) if (this.written.get(field) !== value) changes.push([field, value]);
    for (const field of this.written.keys()) if (!wanted.has(field)) changes.push([field, null]);
    for (let i = 0; i < changes.length; i += BATCH) {
      const batch = changes.slice(i, i + BATCH);
      await this.store.write(this.commands(batch));
      for (const [field, value] of batch)
        if (value === null) this.written.delete(field);
        else this.written.set(field, value);
    }
    return changes.flatMap(([field, value]) => (value === null ? [field] : []));
  }

  /** Two at most: a thousand fields cost far less in one command than in one each. */
  private commands(changes: readonly Change[]): GuardedCommand[] {
    const set = changes.flatMap(([field, value]) => (value === null ? [] : [field, value]));
    const removed = changes.flatMap(([field, value]) => (value === null ? [field] : []));
    const commands: GuardedCommand[] = [];
    if (set.length > 0) commands.push(['HSET', this.key, ...set]);
    if (removed.length > 0) commands.push(['HDEL', this.key, ...removed]);
    return commands;
  }
}

/** `null`: the field goes. */
type Change = readonly [field: string, value: string | null];

/** What is written in one go. */
const BATCH = 1_000;
