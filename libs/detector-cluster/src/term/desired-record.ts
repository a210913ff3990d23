import { openUrls, sealUrls, withoutSecrets } from '../sources/stream-secrets.js';
import { type SecretBox } from '../sources/secret-box.js';
import {
  type DesiredCameraSubscription,
  parseSubscription,
  type DesiredEntry,
  type SkippedDisplay,
  specHash,
} from '@detector-cluster/placement/internal';
import type { ExplicitSubscriptions } from '../sources/explicit-subscription-store.js';
import type { NetworkPolicy } from '../shared/network-policy.js';

/** The value of `worker:desired_subscriptions`: the public form of a subscription. */
type DesiredRecord = Omit<DesiredCameraSubscription, 'modelUrl'> & {
  /** Hash of the complete subscription; shows whether a running stream is the desired one. */
  specHash: string;
  /** Its URLs, encrypted, where a secret is configured. */
  sealed?: string;
  /** The record is not sufficient to open the stream. */
  redacted?: true;
};

/**
 * The record of an entry for a successor. Every Redis client can read it, so without a box it lacks possible secrets.
 * @param box encrypts URLs; null when no secret is configured
 */
export function toDesiredRecord({ spec, hash, redacted }: DesiredEntry, box: SecretBox | null): string {
  const { modelUrl: _, ...shown } = withoutSecrets(spec);
  const { modelUrl, rtspUrl, snapshotUrl } = spec;
  const complete = modelUrl === undefined && shown.rtspUrl === rtspUrl && shown.snapshotUrl === snapshotUrl;
  const record: DesiredRecord = {
    ...shown,
    specHash: hash,
    ...(box !== null && redacted !== true && { sealed: sealUrls(spec, box) }),
    ...((redacted === true || (box === null && !complete)) && { redacted: true }),
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
    const { sealed, specHash, redacted: partial, ...shown } = JSON.parse(text) as DesiredRecord;
    const urls = sealed === undefined ? undefined : openUrls(sealed, shown.subscriptionIdentifier, box);
    const spec = urls ? { ...shown, ...urls } : shown;
    const redacted = partial === true || urls === null;
    const { cameraId } = parseSubscription(spec.subscriptionIdentifier);
    const usable =
      typeof spec.rtspUrl === 'string' && typeof spec.modelId === 'number' && typeof specHash === 'string';
    const entry = { spec, hash: specHash, cameraId, ...(redacted && { redacted: true }) };
    return usable ? { entry, sealed: sealed !== undefined } : null;
  } catch {
    return null;
  }
}

/** The last row, if a display has several. */
export function skippedRecord(rows: readonly SkippedDisplay[]): string {
  const { displayId: _, ...record } = rows.at(-1)!;
  return JSON.stringify(record);
}

/** The first URL of a camera whose host is in no allowed network, and why; null if there is none. */
export function forbiddenAddress(
  { rtspUrl, snapshotUrl }: DesiredCameraSubscription,
  networks: NetworkPolicy,
): string | null {
  for (const [field, url] of Object.entries({ rtspUrl, snapshotUrl })) {
    const problem = url === undefined ? null : networks.problemOf(url);
    if (problem !== null) return `${field}: ${problem}`;
  }
  return null;
}

/** @param completeHash the hash of the complete subscription if `spec` is incomplete */
export function entryOf(
  spec: DesiredCameraSubscription,
  completeHash: string | undefined,
  hashKey: Buffer | undefined,
): DesiredEntry {
  return {
    // A copy, because the source may change its objects and return the same ones again.
    spec: { ...spec },
    hash: completeHash ?? specHash(spec, hashKey),
    cameraId: parseSubscription(spec.subscriptionIdentifier).cameraId,
    ...(completeHash !== undefined && { redacted: true }),
  };
}

export function unreadable({ redacted, corrupt }: ExplicitSubscriptions): string[] {
  return [
    ...redacted
      .filter(({ otherSecret }) => otherSecret)
      .map(
        ({ spec }) =>
          `${spec.subscriptionIdentifier} (encrypted with a secret that this process does not have)`,
      ),
    ...corrupt.map(({ subscriptionIdentifier, detail }) => `${subscriptionIdentifier} (${detail})`),
  ];
}
