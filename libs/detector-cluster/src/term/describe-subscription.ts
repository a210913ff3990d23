import { checkedSubscription } from '../sources/checked-subscription.js';
import {
  type SkippedDisplay,
  type DesiredCameraSubscription,
  type DesiredEntry,
  parseSubscription,
} from '@detector-cluster/placement/internal';
import type { SecretBox } from '../sources/secret-box.js';
import type { NetworkPolicy } from '../shared/network-policy.js';
import { entryOf, forbiddenAddress, toDesiredRecord } from './desired-record.js';

/** An entry without its hints, and its record. */
export interface Described {
  readonly entry: DesiredEntry;
  readonly record: string;
  /** The hash of the complete subscription if the entry is incomplete. */
  readonly completeHash: string | undefined;
  /** The number of the last read of everything in which the source had it. */
  foundBy?: number;
}

export interface DescribeOptions {
  /** What is known of the subscription. It is allowed. */
  readonly before: Described | undefined;
  readonly box: SecretBox | null;
  readonly networks: NetworkPolicy;
  /** It comes from the store of explicit subscriptions, which has checked it. */
  readonly stored?: {
    /** The hash of the complete subscription if the given one is incomplete. */
    readonly completeHash: string | undefined;
  };
}

/**
 * A subscription that was read with its hash and its record, or why it cannot be used. What has not changed since the last reading, which is
 * most of it, is neither checked nor described again, and keeps its object.
 */
export function describeSubscription(
  given: DesiredCameraSubscription,
  { before, box, networks, stored }: DescribeOptions,
): Described | SkippedDisplay {
  const known = before?.entry.spec;
  const isSame = known !== undefined && sameSpec(known, given);
  const spec = stored !== undefined || isSame ? given : checkedSubscription({ ...given });
  if ('reason' in spec) return spec;
  const completeHash = stored?.completeHash;
  const isAllowed =
    completeHash !== undefined || (known?.rtspUrl === spec.rtspUrl && known.snapshotUrl === spec.snapshotUrl);
  const problem = isAllowed ? null : forbiddenAddress(spec, networks);
  if (problem !== null) {
    const { displayId, cameraId } = parseSubscription(spec.subscriptionIdentifier);
    return { displayId, cameraId, reason: 'forbidden-address', detail: problem };
  }
  if (before?.completeHash === completeHash && known !== undefined && sameSpec(known, spec)) return before!;
  const entry = entryOf(spec, completeHash, box?.hashKey);
  return { entry, record: toDesiredRecord(entry, box), completeHash };
}

function sameSpec(a: DesiredCameraSubscription, b: DesiredCameraSubscription): boolean {
  const keys = Object.keys(a) as (keyof DesiredCameraSubscription)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
