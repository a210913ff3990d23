import type { Redis } from 'ioredis';
import { assertIdentifier, parseSubscription } from '../../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { storedSubscriptionSchema } from './stored-subscription.schema.js';

/** A field of the hash that cannot be used. It is left in place: what wrote it may be newer than this process. */
export interface CorruptSubscription {
  readonly subscriptionIdentifier: string;
  readonly detail: string;
}

export interface ExplicitSubscriptions {
  /** Sorted by identifier. */
  readonly subscriptions: DesiredCameraSubscription[];
  readonly corrupt: CorruptSubscription[];
}

/**
 * Subscriptions made with `subscribeToCamera`, one hash field each, so that they outlive the process that asked. Any
 * process writes; the master reads them together with the database. Redis errors pass through.
 */
export class ExplicitSubscriptionStore {
  private readonly key: string;

  constructor(
    private readonly redis: Redis,
    keys: Pick<ClusterKeys, 'requested'>,
  ) {
    this.key = keys.requested;
  }

  /** Adds or replaces. */
  async put(subscription: DesiredCameraSubscription): Promise<void> {
    await this.redis.hset(this.key, subscription.subscriptionIdentifier, JSON.stringify(subscription));
  }

  /** Whether it was there. */
  async remove(subscriptionIdentifier: string): Promise<boolean> {
    parseSubscription(subscriptionIdentifier);
    return (await this.redis.hdel(this.key, subscriptionIdentifier)) > 0;
  }

  /** Removes the subscriptions of all displays to a camera, corrupt ones too; returns their identifiers. */
  async removeByCamera(cameraId: string): Promise<string[]> {
    assertIdentifier('cameraIdentifier', cameraId);
    const fields = await this.redis.hkeys(this.key);
    const matching = fields.filter((field) => field.endsWith(`;${cameraId}`)).sort();
    if (matching.length > 0) await this.redis.hdel(this.key, ...matching);
    return matching;
  }

  async list(): Promise<ExplicitSubscriptions> {
    const subscriptions: DesiredCameraSubscription[] = [];
    const corrupt: CorruptSubscription[] = [];
    const entries = Object.entries(await this.redis.hgetall(this.key)).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [subscriptionIdentifier, text] of entries) {
      const result = read(subscriptionIdentifier, text);
      if (typeof result === 'string') corrupt.push({ subscriptionIdentifier, detail: result });
      else subscriptions.push(result);
    }
    return { subscriptions, corrupt };
  }
}

function read(field: string, text: string): DesiredCameraSubscription | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const { success, data, error } = storedSubscriptionSchema.safeParse(value);
  if (!success) return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  if (data.subscriptionIdentifier !== field)
    return `holds the subscription ${JSON.stringify(data.subscriptionIdentifier)}`;
  return data;
}
