import { checkLeaderRecord, type LeaderRecord } from './leader-record.js';
import type { AtomicLeaderStore } from './leader-store.js';

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
