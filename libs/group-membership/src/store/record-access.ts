import type { Clock } from '@detector-cluster/election';
import { bounded } from '@detector-cluster/election/lease';
import { type LeaderRecord, parseLeaderRecord } from './leader-record.js';
import { type AtomicLeaderStore, isAtomic, type LeaderStore, LeaderStoreError } from './leader-store.js';

/** Result of a read. */
export interface Look {
  /** The value for compare-and-set; `null`: the store is empty. */
  readonly text: string | null;
  /** `null`: empty, or unreadable. */
  readonly record: LeaderRecord | null;
}

export interface RecordAccessOptions {
  readonly store: LeaderStore;
  readonly group: string;
  readonly clock: Clock;
  /** Timeout of each call. Milliseconds. */
  readonly timeout: number;
  /** Called once for each unreadable record. */
  readonly onWarning: (message: string) => void;
}

/** A group's record in its store. Each call is bounded in time and rejects with a {@link LeaderStoreError}. */
export class RecordAccess {
  private readonly store: AtomicLeaderStore;
  private warned: string | null = null;

  constructor(private readonly options: RecordAccessOptions) {
    this.store = isAtomic(options.store) ? options.store : compared(options.store);
  }

  /** Whether an empty store means that there is no leader. */
  get durable(): boolean {
    return this.store.durable === true;
  }

  async read(): Promise<Look> {
    const text = await this.call('read the record', () => this.store.read());
    if (text === null) return { text, record: null };
    try {
      return { text, record: parseLeaderRecord(text, this.options.group) };
    } catch (error) {
      if (this.warned !== text) this.options.onWarning((error as Error).message);
      this.warned = text;
      return { text, record: null };
    }
  }

  /** @throws LeaderStoreError; the store may have applied the change nevertheless. */
  swap(expected: string | null, next: string): Promise<boolean> {
    return this.call('write the record', () => this.store.swap(expected, next));
  }

  private async call<Value>(doing: string, call: () => Promise<Value>): Promise<Value> {
    const { timeout, clock } = this.options;
    try {
      return await bounded('it', timeout, clock, call());
    } catch (error) {
      throw error instanceof LeaderStoreError ? error : new LeaderStoreError(doing, error);
    }
  }
}

/** For a store without compare-and-set: reads, compares, writes. Another process may write in between. */
function compared(store: LeaderStore): AtomicLeaderStore {
  const read = async () => {
    const record = await store.get();
    return record === null ? null : JSON.stringify(record);
  };
  return {
    durable: store.durable,
    get: () => store.get(),
    set: (record) => store.set(record),
    cleanup: () => store.cleanup(),
    read,
    swap: async (expected, next) => {
      if ((await read()) !== expected) return false;
      await store.set(JSON.parse(next) as LeaderRecord);
      return true;
    },
  };
}
