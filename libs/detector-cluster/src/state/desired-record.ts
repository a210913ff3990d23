import { withoutSecrets } from '../desired/secrets/stream-secrets.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredEntry } from '../reconcile/observation.js';

/** The value of `worker:desired_subscriptions`: a subscription without its secrets. */
type DesiredRecord = Omit<DesiredCameraSubscription, 'modelUrl'> & {
  /** Hash of the whole subscription: whether a stream that runs is the one that should. */
  specHash: string;
  /** There were secrets: what is written here is not enough to open the stream. */
  withheld?: true;
};

/** What a successor is told of an entry; anybody who can read Redis may read it. */
export function toDesiredRecord({ spec, hash, withheld }: DesiredEntry): string {
  const open = withoutSecrets(spec);
  const complete = open.rtspUrl === spec.rtspUrl && open.snapshotUrl === spec.snapshotUrl;
  const { modelUrl, ...rest } = open;
  const record: DesiredRecord = {
    ...rest,
    specHash: hash,
    ...((withheld === true || !complete || modelUrl !== undefined) && { withheld: true }),
  };
  return JSON.stringify(record);
}

/** The field of a hash that somebody else may have written: an unreadable one counts as absent. */
export function fromDesiredRecord(text: string): DesiredEntry[] {
  try {
    const { specHash, withheld, ...spec } = JSON.parse(text) as DesiredRecord;
    const { cameraId } = parseSubscription(spec.subscriptionIdentifier);
    const usable =
      typeof spec.rtspUrl === 'string' && typeof spec.modelId === 'number' && typeof specHash === 'string';
    return usable ? [{ spec, hash: specHash, cameraId, ...(withheld === true && { withheld: true }) }] : [];
  } catch {
    return [];
  }
}
