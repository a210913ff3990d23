import type { GuardedCommand, FencedStore } from '@detector-cluster/election/fence';
import { hashPages } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { runInSlices } from './run-in-slices.js';
import { TimeSlices } from './time-slices.js';
import { inChunks } from '@detector-cluster/placement/internal';
import { Commit, MAX_TEXT } from './commit.js';

/** Keeps a Redis hash equal to a map of the master by writing only what differs. */
export class HashMirror {
  private written = new Map<string, string>();
  /** Fields that Redis may have with another value: of calls that run or have failed, and those that {@link compare} has found. */
  private readonly uncertain = new Set<string>();
  /** Fields that may have changed since a comparison has begun; null while there is none. */
  private touched: Set<string> | null = null;
  /** No two writes have the same revision, also if Redis has lost data and the terms begin again. */
  private readonly id = randomUUID();
  private attempts = 0;

  /** @param revisionKey gets a new value in the same transaction as each change, so that readers can skip an unchanged hash */
  constructor(
    private readonly store: FencedStore,
    private readonly key: string,
    private readonly revisionKey?: string,
  ) {}

  /** {@link readFields}, and {@link adopt}. */
  async load(redis: Redis, take?: TakeField): Promise<ReadonlyMap<string, string>> {
    this.adopt(await readFields(redis, this.key, take));
    return this.written;
  }

  /** Takes over the predecessor's fields; the first {@link sync} then removes those that are no longer desired. */
  adopt(written: Map<string, string>): void {
    this.written = written;
  }

  /**
   * Compares Redis with what this master has written: it may have lost some of that in a failover to a lagging replica, and other programs
   * may have changed it. What differs counts as not written, so that the next {@link sync} repairs it. Writes do not wait for a
   * comparison. Resolves with whether anything differs. Comparisons must not overlap.
   */
  async compare(): Promise<boolean> {
    const touched = new Set(this.uncertain);
    this.touched = touched;
    const hasWritten = this.written.size > 0;
    const found = new Set<string>();
    const different = new Set<string>();
    const compareFound = ([field, value]: [string, string]) => {
      found.add(field);
      if (this.written.get(field) !== value) different.add(field);
    };
    const findLost = (field: string) => {
      if (!found.has(field)) different.add(field);
    };
    try {
      const slices = new TimeSlices();
      // Values that are kept until the end would cost a long garbage collection.
      for await (const page of hashPages(this.store.redis, this.key))
        await runInSlices(inChunks(page, compareFound), slices);
      await runInSlices(inChunks(this.written.keys(), findLost), slices);
    } finally {
      this.touched = null;
    }
    for (const field of touched) different.delete(field);
    if (different.size === 0) return false;
    for (const field of different) this.uncertain.add(field);
    if (hasWritten)
      this.store.foreign(
        `${this.key} was not as this master had written it: ${different.size} fields are written again`,
      );
    return true;
  }

  /** Whether Redis has the last written value. */
  has(field: string): boolean {
    return this.written.has(field) && !this.uncertain.has(field);
  }

  /** Whether Redis has this value; null: whether it does not have the field. */
  holds(field: string, value: string | null): boolean {
    return (this.written.get(field) ?? null) === value && !this.uncertain.has(field);
  }

  /** The fields that Redis has or may have. */
  *fields(): Generator<string> {
    yield* this.written.keys();
    for (const field of this.uncertain) if (!this.written.has(field)) yield field;
  }

  /** All differences to `wanted`. */
  changesTo(wanted: ReadonlyMap<string, string>): Map<string, string | null> {
    const changes = new Map<string, string | null>();
    for (const [field, value] of wanted) if (!this.holds(field, value)) changes.set(field, value);
    for (const field of this.fields()) if (!wanted.has(field)) changes.set(field, null);
    return changes;
  }

  /** {@link apply} of all differences to `wanted`. */
  sync(wanted: ReadonlyMap<string, string>): Promise<string[]> {
    return this.apply(this.changesTo(wanted));
  }

  /**
   * Writes these fields, and removes those with `null`; returns the removed ones. Rejects when Redis does not accept all: then
   * {@link has} is false for them until a later call has written them.
   */
  async apply(changes: ReadonlyMap<string, string | null>): Promise<string[]> {
    const commit = new Commit(this.store);
    const removed = await this.addTo(commit, changes);
    await commit.write();
    return removed;
  }

  /** As {@link apply}, with the other parts of a commit. */
  async addTo(commit: Commit, changes: ReadonlyMap<string, string | null>): Promise<string[]> {
    const removed: string[] = [];
    const begin = ([field, value]: Change) => {
      this.uncertain.add(field);
      this.touched?.add(field);
      if (value === null) removed.push(field);
    };
    await runInSlices(inChunks(changes, begin));
    const slices = new TimeSlices();
    for (const { batch, length } of batches(changes)) {
      commit.add({
        length,
        commands: () => this.commands(batch),
        written: () => {
          for (const change of batch) this.note(change);
        },
      });
      if (slices.isDue()) await slices.pause();
    }
    return removed;
  }

  private note([field, value]: Change): void {
    this.uncertain.delete(field);
    if (value === null) this.written.delete(field);
    else this.written.set(field, value);
  }

  /** Few commands: a thousand fields cost far less in one command than in one each. */
  private commands(changes: readonly Change[]): GuardedCommand[] {
    const set = changes.flatMap(([field, value]) => (value === null ? [] : [field, value]));
    const removed = changes.flatMap(([field, value]) => (value === null ? [field] : []));
    const commands: GuardedCommand[] = [];
    if (set.length > 0) commands.push(['HSET', this.key, ...set]);
    if (removed.length > 0) commands.push(['HDEL', this.key, ...removed]);
    if (this.revisionKey !== undefined)
      commands.push(['SET', this.revisionKey, `${this.id}-${++this.attempts}`]);
    return commands;
  }
}

type TakeField = (field: [field: string, value: string]) => void;

/**
 * Reads a hash. Rejects as Redis does.
 * @param take gets each field, perhaps twice
 */
export async function readFields(redis: Redis, key: string, take?: TakeField): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  const note = (field: [string, string]) => {
    const [name, value] = field;
    fields.set(name, value);
    take?.(field);
  };
  const slices = new TimeSlices(true);
  for await (const page of hashPages(redis, key)) await runInSlices(inChunks(page, note), slices);
  return fields;
}

/** `null` removes the field. */
type Change = readonly [field: string, value: string | null];

/** The most changes of one write. */
const MAX_CHANGES = 1_000;

function* batches(changes: Iterable<Change>): Generator<{ batch: Change[]; length: number }> {
  let batch: Change[] = [];
  let length = 0;
  for (const change of changes) {
    const added = change[0].length + (change[1]?.length ?? 0);
    if (batch.length === MAX_CHANGES || (batch.length > 0 && length + added > MAX_TEXT)) {
      yield { batch, length };
      batch = [];
      length = 0;
    }
    batch.push(change);
    length += added;
  }
  if (batch.length > 0) yield { batch, length };
}

/**
 * Compares one after the other: each leaves only half of the event loop to other work, and if one fails, none is under way that could
 * overlap with the next comparison. Resolves with whether any differs.
 */
export async function compareInTurn(
  ...mirrors: readonly { compare(): Promise<boolean> }[]
): Promise<boolean> {
  let differs = false;
  for (const mirror of mirrors) if (await mirror.compare()) differs = true;
  return differs;
}
