import { readHash } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import {
  assertIdentifier,
  InvalidInputError,
  parseSubscription,
} from '../../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import type { ClusterKeys } from '../../store/cluster-keys.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { secretField, withoutSecrets } from '../secrets/stream-secrets.js';
import { readStored, toStored, type WithheldSubscription } from './stored-subscription.js';

/** An unusable field of the hash. The field stays, because a newer version may have written it. */
export interface CorruptSubscription {
  readonly subscriptionIdentifier: string;
  readonly detail: string;
}

export interface ExplicitSubscriptions {
  /** Sorted by identifier. */
  readonly subscriptions: DesiredCameraSubscription[];
  /** Subscriptions whose URLs are encrypted with a secret that this process does not have. */
  readonly withheld: WithheldSubscription[];
  readonly corrupt: CorruptSubscription[];
}

/**
 * Subscriptions made with `subscribeToCamera`, one hash field each, so that they outlive the requesting process. Any process
 * writes; the master reads them together with the database. Redis errors pass through.
 */
export class ExplicitSubscriptionStore {
  private readonly key: string;

  /** @param box encrypts URLs; null when no secret is configured */
  constructor(
    private readonly redis: Redis,
    keys: Pick<ClusterKeys, 'requested'>,
    private readonly box: SecretBox | null,
  ) {
    this.key = keys.requested;
  }

  /** {@link putAll} for one. */
  put(subscription: DesiredCameraSubscription): Promise<void> {
    return this.putAll([subscription]);
  }

  /**
   * Adds or replaces, all in one command.
   * @throws {InvalidInputError} when a URL may hold a secret and no secret is configured to encrypt it; nothing is written then
   */
  async putAll(subscriptions: readonly DesiredCameraSubscription[]): Promise<void> {
    const fields = subscriptions.map((subscription): [string, string] => [
      subscription.subscriptionIdentifier,
      JSON.stringify(this.sealed(subscription)),
    ]);
    if (fields.length > 0) await this.redis.hset(this.key, Object.fromEntries(fields));
  }

  private sealed(subscription: DesiredCameraSubscription) {
    const field = secretField(subscription);
    if (field !== null && this.box === null)
      throw new InvalidInputError(
        field,
        `may hold credentials or a signature (${JSON.stringify(withoutSecrets(subscription)[field])} without them), which Redis gets only encrypted: give DetectorClusterModule the option secret, the same in every process`,
      );
    return toStored(subscription, this.box);
  }

  /** Returns whether it existed. */
  async remove(subscriptionIdentifier: string): Promise<boolean> {
    parseSubscription(subscriptionIdentifier);
    return (await this.redis.hdel(this.key, subscriptionIdentifier)) > 0;
  }

  /** Removes the subscriptions of all displays to a camera, corrupt ones too; returns their identifiers. */
  async removeByCamera(cameraId: string): Promise<string[]> {
    assertIdentifier('cameraIdentifier', cameraId);
    const fields = [...(await readHash(this.redis, this.key)).keys()];
    const matching = fields.filter((field) => field.endsWith(`;${cameraId}`)).sort();
    if (matching.length > 0) await this.redis.hdel(this.key, ...matching);
    return matching;
  }

  async list(): Promise<ExplicitSubscriptions> {
    const found: ExplicitSubscriptions = { subscriptions: [], withheld: [], corrupt: [] };
    const entries = [...(await readHash(this.redis, this.key))].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [subscriptionIdentifier, text] of entries) {
      const result = readStored(subscriptionIdentifier, text, this.box);
      if (typeof result === 'string') found.corrupt.push({ subscriptionIdentifier, detail: result });
      else if ('spec' in result) found.withheld.push(result);
      else found.subscriptions.push(result);
    }
    return found;
  }
}
