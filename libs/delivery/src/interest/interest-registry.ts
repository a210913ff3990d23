import { systemClock } from '@detector-cluster/election';
import type { SharedSubscriber } from '@detector-cluster/election/redis';
import { pause, settlesWithin, toError } from '@detector-cluster/election/internal';
import type { Redis } from 'ioredis';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import type { DetectionListeners } from './detection-listeners.js';
import type { InterestRecord } from './interest-record.js';

export interface InterestRegistryDependencies {
  /** A connection of `commandSettings` that is not closed here. */
  readonly redis: Redis;
  /** Where the master says that it has forgotten this process. Default none: then the next refresh tells it again. */
  readonly subscriber?: Pick<SharedSubscriber, 'listen'>;
  readonly keys: DeliveryKeys;
  readonly processId: string;
  readonly listeners: Pick<DetectionListeners, 'hasGlobal' | 'subscriptions'>;
  /** The master did not confirm in time, or Redis was unavailable. Both resolve themselves. */
  readonly onWarning?: (message: string) => void;
  /** Whether there is a master, as far as this process knows. Default always. */
  readonly hasMaster?: () => boolean;
  /** How long {@link InterestRegistry.announce} waits for the master. Default 1,000. */
  readonly timeout?: number;
  /** How often the record is written again, in case Redis or the master lost it. Default 5,000. */
  readonly refreshInterval?: number;
}

/** Pauses between two checks of the master's answer: the first pause, and the longest. Milliseconds. */
const FIRST_LOOK = 2;
const MAX_PAUSE = 250;

/**
 * Announces to the master for which subscriptions this process has listeners.
 *
 * The record is a field of a hash; the master removes it with the process. The master writes the version that it routes by
 * into a second hash, which is how {@link announce} knows.
 */
export class InterestRegistry {
  private readonly closing = new AbortController();
  private readonly refresh: NodeJS.Timeout;
  private readonly unlisten: (() => void) | undefined;
  private version = 0;
  private written = interests([], false);
  private next: Promise<void> | undefined;
  private confirming: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(private readonly dependencies: InterestRegistryDependencies) {
    const { keys, processId, redis, subscriber } = dependencies;
    redis.on('ready', this.repeat);
    this.unlisten = subscriber?.listen({
      [keys.interestsForgotten]: (processes) => {
        if (processes.includes(JSON.stringify(processId))) this.repeat();
      },
    });
    this.refresh = setInterval(this.repeat, dependencies.refreshInterval ?? 5_000);
    this.refresh.unref();
  }

  /**
   * Writes the present interests. Resolves when the master routes by them, or after `timeout` with a warning. The master routes by them
   * as soon as there is a master. While no master is known it resolves when Redis holds the record, because a new master reads all
   * records before it routes anything. Calls of the same turn share one write. Never rejects.
   */
  announce(): Promise<void> {
    this.next ??= Promise.resolve().then(() => {
      this.next = undefined;
      return this.confirmedInTime();
    });
    return this.next;
  }

  /** Writes the record again, in case it was lost. */
  readonly repeat = (): void => {
    if (this.version > 0) void this.confirmedUnlessKnown();
  };

  /**
   * Announces, before this process stops, that the master must not send anything here any more. Later calls are ignored. Best effort:
   * the master removes the record with the process anyway.
   */
  async withdraw(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.close();
    const { keys, processId, redis } = this.dependencies;
    if (this.version === 0) return;
    await redis.hdel(keys.interests, processId).catch(() => undefined);
    await this.hint().catch(() => undefined);
  }

  /** Idempotent. */
  close(): void {
    this.closing.abort();
    clearInterval(this.refresh);
    this.unlisten?.();
    this.dependencies.redis.off('ready', this.repeat);
  }

  /** Reads first: a record that is still there needs no write and no new answer of the master. */
  private async confirmedUnlessKnown(): Promise<void> {
    const { keys, listeners, processId, redis } = this.dependencies;
    const unchanged = interests(listeners.subscriptions(), listeners.hasGlobal) === this.written;
    try {
      const [record, seen] = await Promise.all([
        redis.hget(keys.interests, processId),
        redis.hget(keys.interestsSeen, processId),
      ]);
      if (unchanged && record === this.record() && Number(seen) >= this.version) return;
    } catch {
      // Redis is unavailable; writing is retried until it is back.
    }
    await this.confirmed();
  }

  private async confirmedInTime(): Promise<void> {
    const { hasMaster = () => true, onWarning, timeout = 1_000 } = this.dependencies;
    const confirmed = this.confirmed();
    const enough = hasMaster()
      ? confirmed
      : this.isStored().then(
          (stored) => (stored ? undefined : confirmed),
          () => confirmed,
        );
    if (!(await settlesWithin(enough, timeout)) && !this.closing.signal.aborted)
      onWarning?.(
        `the master has not confirmed this process's listeners: ${this.failure?.message ?? `no answer in ${timeout} ms`}`,
      );
  }

  /** Resolves when the master routes by the present interests. */
  private confirmed(): Promise<void> {
    const { listeners } = this.dependencies;
    const now = interests(listeners.subscriptions(), listeners.hasGlobal);
    if (now !== this.written) {
      this.written = now;
      this.version++;
      this.confirming = undefined;
    }
    if (this.confirming !== undefined) return this.confirming;
    const confirming = this.insist(this.version).finally(() => {
      if (this.confirming === confirming) this.confirming = undefined;
    });
    return (this.confirming = confirming);
  }

  /** Writes until the master has confirmed this version, or there is a newer one. */
  private async insist(version: number): Promise<void> {
    const { keys, processId, redis } = this.dependencies;
    const { signal } = this.closing;
    for (let wait = 0; !signal.aborted && version === this.version;) {
      try {
        // A master that was not listening yet has missed the hint, and a Redis that lost its data has no record.
        if (wait === 0 || wait === MAX_PAUSE) await this.write();
        if (Number(await redis.hget(keys.interestsSeen, processId)) >= version) return;
        this.failure = undefined;
      } catch (error) {
        this.failure = toError(error);
        wait = MAX_PAUSE / 2;
      }
      wait = Math.min(Math.max(wait * 2, FIRST_LOOK), MAX_PAUSE);
      await pause(wait, systemClock, signal);
    }
  }

  private async write(): Promise<void> {
    const { keys, processId, redis } = this.dependencies;
    await redis.hset(keys.interests, processId, this.record());
    await this.hint();
  }

  /** Redis runs the commands of a connection in their order, so this sees a write that was sent before. */
  private async isStored(): Promise<boolean> {
    const { keys, processId, redis } = this.dependencies;
    return (await redis.hget(keys.interests, processId)) === this.record();
  }

  private record(): string {
    return `{"version":${this.version},${this.written.slice(1)}`;
  }

  private async hint(): Promise<void> {
    const { keys, processId, redis } = this.dependencies;
    await redis.publish(keys.interestsChanged, JSON.stringify({ processId, version: this.version }));
  }
}

/** A record without its version, as JSON. */
function interests(subscriptions: readonly string[], global: boolean): string {
  const record: Omit<InterestRecord, 'version'> = { global, subscriptions: [...subscriptions].sort() };
  return JSON.stringify(record);
}
