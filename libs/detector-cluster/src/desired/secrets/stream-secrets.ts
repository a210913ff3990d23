import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import { redactUrl, withoutQuery } from '../stream/redact-url.js';

/** The fields that can hold credentials or signatures. */
export const SECRET_FIELDS = ['rtspUrl', 'snapshotUrl', 'modelUrl'] as const;

export type StreamSecrets = Partial<Pick<DesiredCameraSubscription, (typeof SECRET_FIELDS)[number]>>;

/** The first field that holds a credential or a signature; null if none does. */
export function secretField(subscription: DesiredCameraSubscription): (typeof SECRET_FIELDS)[number] | null {
  const open = withoutSecrets(subscription);
  return SECRET_FIELDS.find((field) => subscription[field] !== open[field]) ?? null;
}

/** What of a subscription may lie about: URLs without credentials, the model's also without its query. */
export function withoutSecrets(subscription: DesiredCameraSubscription): DesiredCameraSubscription {
  const { snapshotUrl, modelUrl } = subscription;
  return {
    ...subscription,
    rtspUrl: redactUrl(subscription.rtspUrl),
    ...(snapshotUrl !== undefined && { snapshotUrl: redactUrl(snapshotUrl) }),
    ...(modelUrl !== undefined && { modelUrl: withoutCredentials(modelUrl) }),
  };
}

/** {@link withoutQuery} only where the query holds a secret: one that selects the model is no secret. */
function withoutCredentials(modelUrl: string): string {
  const redacted = redactUrl(modelUrl);
  return redacted === modelUrl ? modelUrl : withoutQuery(redacted);
}
