import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { redactCameraUrl, redactUrl, withoutQuery } from '../shared/redact-url.js';
import type { SecretBox } from './secret-box.js';

/** The fields that can hold credentials or signatures. */
export const SECRET_FIELDS = ['rtspUrl', 'snapshotUrl', 'modelUrl'] as const;

export type StreamSecrets = Partial<Pick<DesiredCameraSubscription, (typeof SECRET_FIELDS)[number]>>;

/** Encrypts text for a context, without which it does not open. */
export type Sealer = Pick<SecretBox, 'seal'>;

/** Returns what a {@link Sealer} has encrypted for the same context; null: it cannot. */
export type Opener = Pick<SecretBox, 'open'>;

/** Encrypts the URLs of a subscription; the result opens only for this subscription. */
export function sealUrls(subscription: DesiredCameraSubscription, box: Sealer): string {
  const { rtspUrl, snapshotUrl, modelUrl, subscriptionIdentifier } = subscription;
  return box.seal(JSON.stringify({ rtspUrl, snapshotUrl, modelUrl }), subscriptionIdentifier);
}

/** Decrypts the result of {@link sealUrls}; null without its secret. The URLs were checked before they were encrypted. */
export function openUrls(
  sealed: string,
  subscriptionIdentifier: string,
  box: Opener | null,
): StreamSecrets | null {
  const urls = box?.open(sealed, subscriptionIdentifier) ?? null;
  return urls === null ? null : (JSON.parse(urls) as StreamSecrets);
}

/** The first field that may hold a credential or a signature; null if none does. */
export function secretField(subscription: DesiredCameraSubscription): (typeof SECRET_FIELDS)[number] | null {
  const open = withoutSecrets(subscription);
  return SECRET_FIELDS.find((field) => subscription[field] !== open[field]) ?? null;
}

/** The public form of a subscription: camera URLs as by `redactCameraUrl`, a signed model URL without its query. */
export function withoutSecrets(subscription: DesiredCameraSubscription): DesiredCameraSubscription {
  const { snapshotUrl, modelUrl } = subscription;
  return {
    ...subscription,
    rtspUrl: redactCameraUrl(subscription.rtspUrl),
    ...(snapshotUrl !== undefined && { snapshotUrl: redactCameraUrl(snapshotUrl) }),
    ...(modelUrl !== undefined && { modelUrl: withoutCredentials(modelUrl) }),
  };
}

/** {@link withoutQuery} only if the query holds a secret; a query that selects the model does not. */
function withoutCredentials(modelUrl: string): string {
  const redacted = redactUrl(modelUrl);
  return redacted === modelUrl ? modelUrl : withoutQuery(redacted);
}
