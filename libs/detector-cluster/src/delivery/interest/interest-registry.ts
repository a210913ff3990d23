import { closeRedis, commandSettings, openRedis, type RedisSource } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import type { InterestRecord } from './interest-record.js';

export interface InterestRegistryDependencies {
  readonly redis: RedisSource;
  readonly keys: ClusterKeys;
  readonly processId: string;
  /** The subscriptions that have listeners here: `() => listeners.subscriptions()`. */
  readonly subscriptions: () => readonly string[];
  /** The master did not confirm in time, or Redis could not be reached; both heal by themselves. */
  readonly onWarning?: (message: string) => void;
  /** How long {@link InterestRegistry.announce} waits for the master. Default 1,000. */
  readonly timeout?: number;
  /** How often the record is written anew, for the case that Redis or the master lost it. Default 5,000. */
  readonly refreshInterval?: number;
}

/** Between two looks whether the master has taken notice. Milliseconds. */
const LONGEST_WAIT = 50;

/** The same when nobody waits for it. Milliseconds. */
const INSIST = 250;

/**
 * Tells the master for which subscriptions this process has listeners.
 *
 * The record is a field of a hash; the master removes it with the process. The master writes the version that it routes by
 * into a second hash, which is how {@link announce} knows.
 */
export class InterestRegistry {
  private readonly redis: Redis;
  private readonly closing = new AbortController();
  private readonly refresh: NodeJS.Timeout;
  private version = 0;
  private written = '[]';
  private next: Promise<void> | undefined;
  private insisting = false;

  constructor(private readonly dependencies: InterestRegistryDependencies) {
    this.redis = openRedis(dependencies.redis, commandSettings);
    this.redis.on('ready', () => this.repeat());
    this.refresh = setInterval(() => this.repeat(), dependencies.refreshInterval ?? 5_000);
    this.refresh.unref();
  }

  /**
   * Writes what this process is interested in now. Resolves when the master routes by it, or after `timeout` with a
   * warning: then it will as soon as there is a master. Calls of the same turn share one write. Never rejects.
   */
  announce(): Promise<void> {
    this.next ??= Promise.resolve().then(() => {
      this.next = undefined;
      return this.publish();
    });
    return this.next;
  }

  /** Idempotent. Leaves the record to the master, which removes it with the process. */
  close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.refresh);
    closeRedis(this.redis);
    return Promise.resolve();
  }

  private async publish(): Promise<void> {
    const { keys, processId, timeout = 1_000, onWarning } = this.dependencies;
    const { signal } = this.closing;
    const version = this.change();
    const deadline = performance.now() + timeout;
    let failure: Error | undefined;
    let saved = false;
    for (
      let wait = 2;
      !signal.aborted && performance.now() < deadline;
      wait = Math.min(wait * 2, LONGEST_WAIT)
    ) {
      try {
        if (!saved) {
          await this.write();
          saved = true;
        }
        if (Number(await this.redis.hget(keys.interestsSeen, processId)) >= version) return;
        failure = undefined;
        // A master that was not listening yet has missed the hint, and looks by itself only now and then.
        if (wait === LONGEST_WAIT) await this.hint();
      } catch (error) {
        failure = asError(error);
      }
      await delay(wait, signal);
    }
    if (signal.aborted) return;
    onWarning?.(
      `the master has not confirmed this process's listeners: ${failure?.message ?? `no answer in ${timeout} ms`}`,
    );
    void this.insist();
  }

  /** Nobody waits any more, but detections are missed here until the master has taken notice. */
  private async insist(): Promise<void> {
    if (this.insisting) return;
    this.insisting = true;
    const { keys, processId } = this.dependencies;
    const { signal } = this.closing;
    for (let seen = -1; !signal.aborted && seen < this.version;) {
      await delay(INSIST, signal);
      try {
        await this.write();
        seen = Number(await this.redis.hget(keys.interestsSeen, processId));
      } catch {
        // Redis is away: then there is no master either.
      }
    }
    this.insisting = false;
  }

  private change(): number {
    const subscriptions = JSON.stringify([...this.dependencies.subscriptions()].sort());
    if (subscriptions !== this.written) {
      this.written = subscriptions;
      this.version++;
    }
    return this.version;
  }

  private async write(): Promise<void> {
    const { keys, processId } = this.dependencies;
    const record: InterestRecord = {
      version: this.version,
      subscriptions: JSON.parse(this.written) as string[],
    };
    await this.redis.hset(keys.interests, processId, JSON.stringify(record));
    await this.hint();
  }

  private async hint(): Promise<void> {
    const { keys, processId } = this.dependencies;
    await this.redis.publish(keys.interestsChanged, JSON.stringify({ processId, version: this.version }));
  }

  /** Writes it anew, for the case that it was lost. Never throws; a failure is warned of. */
  repeat(): void {
    if (this.version === 0 || this.closing.signal.aborted) return;
    this.change();
    this.write().catch((error: unknown) => {
      if (!this.closing.signal.aborted)
        this.dependencies.onWarning?.(
          `this process's listeners could not be written: ${asError(error).message}`,
        );
    });
  }
}
