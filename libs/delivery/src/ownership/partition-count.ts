import { FencedError } from '@detector-cluster/election/fence';
import { doubling, pause, toError } from '@detector-cluster/election/internal';
import type { LogAddress } from '../log/log-address.js';
import type { OwnerRecord } from '../log/log-store.js';
import type { OwnershipContext } from './ownership-context.js';
import type { PartitionCountStore } from './redis-partition-count.js';

/** How long appending is paused so that partitions become empty. Milliseconds. */
const TIMEOUT = 250;

export interface PartitionCountHooks {
  readonly partitions: (count: number) => readonly LogAddress[];
  /** Pauses appending until the returned function is called. */
  readonly hold: () => Promise<() => void>;
  /** Another number is in effect, while appending is still paused. `records`: of at least as many partitions. */
  readonly onChanged: (records: readonly OwnerRecord[]) => void;
}

/**
 * The number of partitions. It decides in which partition a subscription is, so it changes only while no entry is unfinished:
 * appending is paused for a moment, all partitions are closed to earlier terms, and if all are empty, the new number is stored.
 */
export class PartitionCount {
  current = 0;

  constructor(
    private readonly context: OwnershipContext,
    private readonly store: PartitionCountStore,
    private readonly hooks: PartitionCountHooks,
  ) {}

  /** Reads the number, or stores the configured one as the first master. Rejects when Redis cannot be reached. */
  async begin(): Promise<void> {
    const { onEvent, options } = this.context;
    const stored = await this.store.read();
    if (stored === null) await this.store.write(options.partitions);
    this.current = stored ?? options.partitions;
    if (this.current !== options.partitions)
      onEvent({ type: 'partitions-pending', wanted: options.partitions, present: this.current });
  }

  /**
   * Stores the number again if Redis has lost it or another program has changed it. Tries to bring the configured one into effect.
   * Rejects without Redis.
   */
  async look(): Promise<void> {
    if ((await this.store.read()) !== this.current) await this.store.write(this.current);
    if (this.current !== this.context.options.partitions) await this.tryChange();
  }

  private async tryChange(): Promise<void> {
    const { clock, disputed, onEvent, options, signal, store, term } = this.context;
    const from = this.current;
    const to = options.partitions;
    // Also closes the partitions of the new number, because an earlier master may still use them under an older number.
    const logs = this.hooks.partitions(Math.max(from, to));
    const release = await this.hooks.hold();
    try {
      const deadline = clock.now() + TIMEOUT;
      for (;;) {
        const entries = await store.seal(term, logs);
        const refusing = logs.filter((_, i) => entries[i] === 'deposed');
        if (refusing.length > 0) await disputed(refusing);
        if (entries.every((count) => count === 0)) break;
        if (signal.aborted || clock.now() > deadline) return;
        await pause(10, clock, signal);
      }
      const records = await store.records(logs);
      await this.writeSurely(to);
      if (signal.aborted) return;
      this.current = to;
      this.hooks.onChanged(records);
      onEvent({ type: 'partitions-changed', from, to });
    } finally {
      release();
    }
  }

  /**
   * Repeats the write until its outcome is known or the router has ended. A master that kept the old number, although Redis has the
   * new one, would append to partitions that no process reads.
   */
  private async writeSurely(to: number): Promise<void> {
    const { clock, deposed, onEvent, signal } = this.context;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        return await this.store.write(to);
      } catch (error) {
        if (error instanceof FencedError) return deposed();
        onEvent({ type: 'redis-error', error: toError(error) });
        await pause(doubling(25, attempt, 500), clock, signal);
      }
    }
  }
}
