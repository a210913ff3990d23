import { Repeater } from '@detector-cluster/election/internal';
import { RedisScript } from '@detector-cluster/election/internal/redis';
import type { Redis } from 'ioredis';
import type { ClusterLogger } from '../operators/worker-logger.js';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { readHeartbeat } from '../operators/master-heartbeat.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { ListedTimer } from '../shared/cluster-timers.js';
import { replaceHeld } from './scripts.generated.js';
import { toHeld, type Requester } from './stored-subscription.js';
import type { Sealer } from './stream-secrets.js';
import { sealerFor, type SealKey } from './term-seal.js';

const replaceScript = new RedisScript<0 | 1>(replaceHeld);

/**
 * Replaces the record of a request that this requester holds; returns false if it does not, or no longer.
 * @param key the hash of requests
 * @param record empty: removes it
 */
export async function replaceHeldRequest(
  redis: Redis,
  key: string,
  { bootId }: Requester,
  subscriptionIdentifier: string,
  record: string,
): Promise<boolean> {
  return (await replaceScript.run(redis, [key], [bootId, subscriptionIdentifier, record])) === 1;
}

/** How often a process that holds requests looks for another master. Milliseconds. */
const LOOK_INTERVAL = 1_000;

/** How many requests are encrypted at once. */
const BATCH = 500;

/** A request, and the key for which its record in Redis is encrypted; null: none. */
interface HeldRequest {
  readonly subscription: DesiredCameraSubscription;
  readonly publicKey: string | null;
  readonly record: string;
}

export interface HeldRequestsOptions {
  readonly redis: Redis;
  readonly keys: Pick<ClusterKeys, 'requested' | 'master'>;
  readonly requester: Requester;
  /** Requests in Redis have changed, so the master should read them. */
  readonly onChange: () => void;
  readonly timer: Pick<ListedTimer, 'repeat'>;
  readonly logger: Pick<ClusterLogger, 'log' | 'warn' | 'debug'>;
}

/**
 * Requests whose URLs hold secrets, without a secret to encrypt them with: the URLs stay in the memory of this process, and the requests
 * end with it.
 *
 * A master needs the URLs. It publishes a key with its heartbeat, and this process encrypts the URLs for that key: no other process
 * and no later master can read what is in Redis. When another master leads, this process encrypts them again.
 */
export class HeldRequests {
  private held = new Map<string, HeldRequest>();
  private sealer: { readonly key: SealKey; readonly seal: Sealer } | null = null;
  private warned = false;
  private readonly closed = new AbortController();
  private readonly looks: Repeater;
  private cancel: (() => void) | undefined;

  constructor(private readonly options: HeldRequestsOptions) {
    this.looks = new Repeater({
      run: () => this.sealForMaster(),
      onError: ({ message }) => options.logger.debug(`cannot encrypt requests yet: ${message}`),
      signal: this.closed.signal,
    });
  }

  /** Starts looking for another master. */
  start(): void {
    this.cancel = this.options.timer.repeat(() => this.looks.poke(), LOOK_INTERVAL);
  }

  /** The records of requests, by subscription, for {@link take}. */
  async describe(subscriptions: readonly DesiredCameraSubscription[]): Promise<Map<string, HeldRequest>> {
    const described = new Map<string, HeldRequest>();
    if (subscriptions.length === 0) return described;
    await this.readKey();
    for (const one of subscriptions) described.set(one.subscriptionIdentifier, this.sealed(one));
    return described;
  }

  /** These subscriptions were stored or withdrawn: this process holds those that `held` has. */
  take(subscriptions: readonly string[], held: ReadonlyMap<string, HeldRequest> = new Map()): void {
    for (const id of subscriptions) {
      const request = held.get(id);
      if (request === undefined) this.held.delete(id);
      else this.held.set(id, request);
    }
    if (held.size === 0 || this.warned) return;
    this.warned = true;
    const [first] = held.keys();
    this.options.logger.warn(
      `the request for ${first} ends with this process, because its URLs may hold credentials, which Redis gets only encrypted: ` +
        'give DetectorClusterModule the option secret, the same in every process, to have requests outlive their process',
    );
  }

  /** Ends the requests. Never rejects: if Redis is unavailable, the master ends them. Idempotent. */
  async close(): Promise<void> {
    if (this.closed.signal.aborted) return;
    this.cancel?.();
    this.closed.abort();
    await this.looks.settled;
    const ids = [...this.held.keys()];
    this.held.clear();
    if (ids.length === 0) return;
    const { logger, onChange } = this.options;
    try {
      await Promise.all(ids.map((id) => this.replace(id, '')));
      logger.log(`requests end with this process: ${ids.length}`);
      onChange();
    } catch (error) {
      logger.warn(`the master has to end the requests of this process: ${(error as Error).message}`);
    }
  }

  /** Encrypts what the present master cannot read. */
  private async sealForMaster(): Promise<void> {
    if (this.held.size === 0) return;
    await this.readKey();
    const publicKey = this.sealer?.key.publicKey;
    if (publicKey === undefined) return;
    const outdated = [...this.held].filter(([, request]) => request.publicKey !== publicKey);
    for (let from = 0; from < outdated.length && !this.closed.signal.aborted; from += BATCH)
      await Promise.all(outdated.slice(from, from + BATCH).map(([id, before]) => this.sealAgain(id, before)));
    if (outdated.length > 0) this.options.onChange();
  }

  private async sealAgain(id: string, before: HeldRequest): Promise<void> {
    const request = this.sealed(before.subscription);
    const isStored = await this.replace(id, request.record);
    const now = this.held.get(id);
    if (now !== before) {
      // The application has made or withdrawn the request in the meantime. A newer record may have been overwritten.
      if (now !== undefined) this.held.set(id, { ...now, publicKey: null });
      return;
    }
    if (isStored) this.held.set(id, request);
    else {
      this.held.delete(id);
      this.options.logger.debug(`another process has withdrawn or made the request for ${id}`);
    }
  }

  private sealed(subscription: DesiredCameraSubscription): HeldRequest {
    const { sealer } = this;
    const record = toHeld(subscription, this.options.requester, sealer?.seal ?? null);
    return { subscription, record, publicKey: sealer?.key.publicKey ?? null };
  }

  private replace(id: string, record: string): Promise<boolean> {
    const { redis, keys, requester } = this.options;
    return replaceHeldRequest(redis, keys.requested, requester, id, record);
  }

  /** Reads the key of the present master. A key that cannot be used is none. */
  private async readKey(): Promise<void> {
    const { keys, redis } = this.options;
    const heartbeat = await readHeartbeat(redis, keys);
    const publicKey = heartbeat?.sealKey;
    if (heartbeat === null || publicKey === undefined) this.sealer = null;
    else if (this.sealer?.key.publicKey !== publicKey) {
      const key = { term: heartbeat.term, publicKey };
      try {
        this.sealer = { key, seal: sealerFor(key) };
      } catch {
        this.sealer = null;
      }
    }
  }
}
