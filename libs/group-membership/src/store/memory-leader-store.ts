import { TextLeaderStore } from './text-leader-store.js';

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
