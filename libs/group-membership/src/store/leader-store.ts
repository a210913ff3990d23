import { checkLeaderRecord, type LeaderRecord } from './leader-record.js';

/**
 * Holds the record of a group's leader, so that new processes find the leader. Each call rejects when the store is unavailable;
 * `null` means that there is no record.
 */
export interface LeaderStore {
  /**
   * Whether a restart keeps all confirmed writes, so that an empty store means that there is no leader. With any other store, a
   * founder must not act for `leaseTtl`, because there may be a leader whose record was lost. Default false.
   */
  readonly durable?: boolean;
  /** `null`: there is no record. */
  get(): Promise<LeaderRecord | null>;
  set(record: LeaderRecord): Promise<void>;
  /** Closes the store's connections. Called once, last. */
  cleanup(): Promise<void>;
}

/**
 * A store with compare-and-set, so that one record means one leader. A safe election needs it: with a store that lacks it, two
 * processes can lead for a moment.
 */
export interface AtomicLeaderStore extends LeaderStore {
  /** The record as it is stored; `null` when there is none. */
  read(): Promise<string | null>;
  /** Stores `next` if the store still holds `expected` (`null`: nothing). Returns whether it did. */
  swap(expected: string | null, next: string): Promise<boolean>;
}

export function isAtomic(store: LeaderStore): store is AtomicLeaderStore {
  return typeof Reflect.get(store, 'swap') === 'function' && typeof Reflect.get(store, 'read') === 'function';
}

/** The store was unavailable or refused the call, so the caller does not know whether there is a record. */
export class LeaderStoreError extends Error {
  override readonly name = 'LeaderStoreError';
  readonly code = 'LEADER_STORE';

  /** @param doing The operation that failed. */
  constructor(doing: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    super(`the leader store failed to ${doing}: ${reason}`, { cause });
  }
}

/** An {@link AtomicLeaderStore} over any storage that holds one text and can compare it. */
export abstract class TextLeaderStore implements AtomicLeaderStore {
  /** `null` also for a text that is not a record: {@link read} distinguishes the two. */
  async get(): Promise<LeaderRecord | null> {
    const text = await this.read();
    if (text === null) return null;
    try {
      return checkLeaderRecord(JSON.parse(text));
    } catch {
      return null;
    }
  }

  async set(record: LeaderRecord): Promise<void> {
    await this.write(JSON.stringify(record));
  }

  abstract read(): Promise<string | null>;
  abstract swap(expected: string | null, next: string): Promise<boolean>;
  /** Stores the text unconditionally. */
  protected abstract write(text: string): Promise<void>;
  abstract cleanup(): Promise<void>;
}

/** Keeps the record in memory, for members of one process that share the store, and for tests. */
export class MemoryLeaderStore extends TextLeaderStore {
  /** The store ends together with all of its members. */
  readonly durable = true;
  private text: string | null = null;

  read(): Promise<string | null> {
    return Promise.resolve(this.text);
  }

  swap(expected: string | null, next: string): Promise<boolean> {
    const same = this.text === expected;
    if (same) this.text = next;
    return Promise.resolve(same);
  }

  write(text: string): Promise<void> {
    this.text = text;
    return Promise.resolve();
  }

  /** Loses the record, as a server without persistence does when it restarts. */
  clear(): void {
    this.text = null;
  }

  cleanup(): Promise<void> {
    return Promise.resolve();
  }
}

/** For an application of one process: the process leads at once and does not look for other members. */
export class StandaloneLeaderStore extends MemoryLeaderStore {
  readonly standalone = true;
}
