import { readHash } from '@detector-cluster/election/internal/redis';
import type { Redis } from 'ioredis';
import {
  assertIdentifier,
  parseSubscription,
  type DesiredCameraSubscription,
} from '@detector-cluster/placement/internal';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { replaceHeldRequest, type HeldRequests } from './held-requests.js';
import { openUrls, secretField, type Opener } from './stream-secrets.js';
import { type SecretBox } from './secret-box.js';
import { readStored, toStored, type Requester } from './stored-subscription.js';

/** An unusable field of the hash. The field stays, because a newer version may have written it. */
export interface CorruptSubscription {
  readonly subscriptionIdentifier: string;
  readonly detail: string;
}

export interface ExplicitSubscriptions {
  /** Sorted by identifier. */
  readonly subscriptions: DesiredCameraSubscription[];
  /** Subscriptions whose secrets this process cannot read, or not yet. */
  readonly redacted: RedactedSubscription[];
  /** Subscriptions that their requesters hold. */
  readonly held: HeldSubscription[];
  readonly corrupt: CorruptSubscription[];
}

/** A subscription whose secrets cannot be read: its other fields, and its hash. */
interface RedactedSubscription {
  readonly spec: DesiredCameraSubscription;
  readonly hash: string;
  /** Another secret than that of this process is needed. Otherwise, its requester encrypts it for this master soon. */
  readonly otherSecret: boolean;
}

export interface HeldSubscription {
  readonly subscriptionIdentifier: string;
  readonly requester: Requester;
}

/**
 * Subscriptions made with `subscribeToCamera`, one hash field each. Any process writes; the master reads them together with the database.
 * They outlive the requesting process, but for those that hold secrets which cannot be encrypted: see {@link HeldRequests}. Redis
 * errors pass through.
 */
export class ExplicitSubscriptionStore {
  private readonly key: string;

  /**
   * @param box encrypts URLs; null when no secret is configured
   * @param held keeps what then cannot be encrypted
   */
  constructor(
    private readonly redis: Redis,
    keys: Pick<ClusterKeys, 'requested'>,
    private readonly box: SecretBox | null,
    private readonly held: HeldRequests,
  ) {
    this.key = keys.requested;
  }

  /** {@link putAll} for one. */
  put(subscription: DesiredCameraSubscription): Promise<void> {
    return this.putAll([subscription]);
  }

  /** Adds or replaces, all in one command. */
  async putAll(subscriptions: readonly DesiredCameraSubscription[]): Promise<void> {
    if (subscriptions.length === 0) return;
    const needsHolder = (one: DesiredCameraSubscription) => this.box === null && secretField(one) !== null;
    const held = await this.held.describe(subscriptions.filter(needsHolder));
    const records = subscriptions.map((one): [string, string] => {
      const { subscriptionIdentifier: id } = one;
      return [id, held.get(id)?.record ?? toStored(one, this.box)];
    });
    await this.redis.hset(this.key, Object.fromEntries(records));
    this.held.take(
      records.map(([id]) => id),
      held,
    );
  }

  /** Returns whether it existed. */
  async remove(subscriptionIdentifier: string): Promise<boolean> {
    parseSubscription(subscriptionIdentifier);
    const removed = await this.redis.hdel(this.key, subscriptionIdentifier);
    this.held.take([subscriptionIdentifier]);
    return removed > 0;
  }

  /** Removes the subscriptions of all displays to a camera, corrupt ones too; returns their identifiers. */
  async removeByCamera(cameraId: string): Promise<string[]> {
    assertIdentifier('cameraIdentifier', cameraId);
    const fields = [...(await readHash(this.redis, this.key)).keys()];
    const matching = fields.filter((field) => field.endsWith(`;${cameraId}`)).sort();
    if (matching.length > 0) await this.redis.hdel(this.key, ...matching);
    this.held.take(matching);
    return matching;
  }

  /** Removes requests that their requesters held, but for those that were made again by another process. */
  async removeHeld(held: readonly HeldSubscription[]): Promise<void> {
    const remove = ({ requester, subscriptionIdentifier }: HeldSubscription) =>
      replaceHeldRequest(this.redis, this.key, requester, subscriptionIdentifier, '');
    await Promise.all(held.map(remove));
  }

  /** @param opener decrypts the secrets that requesters hold; without it, these are redacted */
  async list(opener: Opener | null = null): Promise<ExplicitSubscriptions> {
    const found: ExplicitSubscriptions = { subscriptions: [], redacted: [], held: [], corrupt: [] };
    const entries = [...(await readHash(this.redis, this.key))].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [subscriptionIdentifier, text] of entries) {
      const stored = readStored(subscriptionIdentifier, text);
      if (typeof stored === 'string') {
        found.corrupt.push({ subscriptionIdentifier, detail: stored });
        continue;
      }
      const { sealed, specHash: hash = '', requester, ...spec } = stored;
      if (requester !== undefined) found.held.push({ subscriptionIdentifier, requester });
      const box = requester === undefined ? this.box : opener;
      const isComplete = sealed === undefined && requester === undefined;
      const urls = isComplete ? {} : openUrls(sealed ?? '', subscriptionIdentifier, box);
      if (urls !== null) found.subscriptions.push({ ...spec, ...urls });
      else found.redacted.push({ spec, hash, otherSecret: requester === undefined });
    }
    return found;
  }
}
