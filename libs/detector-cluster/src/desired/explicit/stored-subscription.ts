import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { openUrls, sealUrls, withoutSecrets } from '../secrets/stream-secrets.js';
import { specHash } from '../stream/spec-hash.js';
import { storedSubscriptionSchema, type StoredSubscription } from './stored-subscription.schema.js';

/** A subscription whose secrets cannot be read: its other fields, and its hash. */
export interface WithheldSubscription {
  readonly spec: DesiredCameraSubscription;
  readonly hash: string;
}

/**
 * The form that is written to Redis. With a box all URLs are encrypted, because a secret in a path looks like any other path;
 * the public form is stored beside them. Without a box, the subscription itself: the caller ensures that it holds no secret.
 */
export function toStored(subscription: DesiredCameraSubscription, box: SecretBox | null): StoredSubscription {
  if (box === null) return subscription;
  return {
    ...withoutSecrets(subscription),
    sealed: sealUrls(subscription, box),
    specHash: specHash(subscription, box.hashKey),
  };
}

/** The inverse of {@link toStored}: the subscription, its readable fields if it cannot be decrypted, or the problem. */
export function readStored(
  field: string,
  text: string,
  box: SecretBox | null,
): DesiredCameraSubscription | WithheldSubscription | string {
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
  const { sealed, specHash: hash = '', ...open } = data;
  if (sealed === undefined) return open;
  const urls = openUrls(sealed, field, box);
  return urls === null ? { spec: open, hash } : { ...open, ...urls };
}
