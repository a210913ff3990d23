import type { SecretBox } from '../desired/secrets/secret-box.js';
import { openUrls, sealUrls, withoutSecrets } from '../desired/secrets/stream-secrets.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredEntry } from '../reconcile/observation.js';

/** The value of `worker:desired_subscriptions`: the public form of a subscription. */
type DesiredRecord = Omit<DesiredCameraSubscription, 'modelUrl'> & {
  /** Hash of the complete subscription; shows whether a running stream is the desired one. */
  specHash: string;
  /** Its URLs, encrypted, where a secret is configured. */
  sealed?: string;
  /** The record is not sufficient to open the stream. */
  withheld?: true;
};

/**
 * The record of an entry for a successor. Every Redis client can read it, so without a box it lacks possible secrets.
 * @param box encrypts URLs; null when no secret is configured
 */
export function toDesiredRecord({ spec, hash, withheld }: DesiredEntry, box: SecretBox | null): string {
  const { modelUrl: _, ...shown } = withoutSecrets(spec);
  const { modelUrl, rtspUrl, snapshotUrl } = spec;
  const complete = modelUrl === undefined && shown.rtspUrl === rtspUrl && shown.snapshotUrl === snapshotUrl;
  const record: DesiredRecord = {
    ...shown,
    specHash: hash,
    ...(box !== null && withheld !== true && { sealed: sealUrls(spec, box) }),
    ...((withheld === true || (box === null && !complete)) && { withheld: true }),
  };
  return JSON.stringify(record);
}

export interface ReadRecord {
  readonly entry: DesiredEntry;
  /** Its URLs are encrypted. */
  readonly sealed: boolean;
}

/** The field of a hash that another program may have written; null when it is unreadable. */
export function fromDesiredRecord(text: string, box: SecretBox | null): ReadRecord | null {
  try {
    const { sealed, specHash, withheld: partial, ...shown } = JSON.parse(text) as DesiredRecord;
    const urls = sealed === undefined ? {} : openUrls(sealed, shown.subscriptionIdentifier, box);
    const spec = { ...shown, ...urls };
    const withheld = partial === true || urls === null;
    const { cameraId } = parseSubscription(spec.subscriptionIdentifier);
    const usable =
      typeof spec.rtspUrl === 'string' && typeof spec.modelId === 'number' && typeof specHash === 'string';
    const entry = { spec, hash: specHash, cameraId, ...(withheld && { withheld: true }) };
    return usable ? { entry, sealed: sealed !== undefined } : null;
  } catch {
    return null;
  }
}
