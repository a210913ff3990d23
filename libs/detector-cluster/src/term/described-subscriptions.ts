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

/**
 * The desired subscriptions with their hashes and records, by identifier. What has not changed since the last reading, which is most
 * of it, is neither checked nor described again, and keeps its object.
 */
export class DescribedSubscriptions {
  private all = new Map<string, Described>();

  constructor(
    private readonly box: SecretBox | null,
    private readonly networks: NetworkPolicy,
  ) {}

  get(id: string): Described | undefined {
    return this.all.get(id);
  }

  set(id: string, described: Described): void {
    this.all.set(id, described);
  }

  delete(id: string): void {
    this.all.delete(id);
  }

  /**
   * Describes a subscription that was read, or returns why it cannot be used.
   * @param isStored whether it comes from the store of explicit subscriptions, which has checked it
   * @param completeHash the hash of the complete subscription if `given` is incomplete
   */
  check(
    given: DesiredCameraSubscription,
    isStored: boolean,
    completeHash: string | undefined,
  ): Described | SkippedDisplay {
    const spec = isStored || this.isKnown(given) ? given : checkedSubscription({ ...given });
    if ('reason' in spec) return spec;
    const problem = completeHash === undefined ? this.forbidden(spec) : null;
    if (problem === null) return this.describe(spec, completeHash);
    const { displayId, cameraId } = parseSubscription(spec.subscriptionIdentifier);
    return { displayId, cameraId, reason: 'forbidden-address', detail: problem };
  }

  /** Whether it is unchanged since it was checked. */
  private isKnown(spec: DesiredCameraSubscription): boolean {
    const before = this.all.get(spec.subscriptionIdentifier);
    return before !== undefined && sameSpec(before.entry.spec, spec);
  }

  /** All known subscriptions are allowed. */
  private forbidden(spec: DesiredCameraSubscription): string | null {
    const before = this.all.get(spec.subscriptionIdentifier)?.entry.spec;
    if (before?.rtspUrl === spec.rtspUrl && before.snapshotUrl === spec.snapshotUrl) return null;
    return forbiddenAddress(spec, this.networks);
  }

  private describe(spec: DesiredCameraSubscription, completeHash: string | undefined): Described {
    const before = this.all.get(spec.subscriptionIdentifier);
    if (before !== undefined && before.completeHash === completeHash && sameSpec(before.entry.spec, spec))
      return before;
    const entry = entryOf(spec, completeHash, this.box?.hashKey);
    return { entry, record: toDesiredRecord(entry, this.box), completeHash };
  }
}

function sameSpec(a: DesiredCameraSubscription, b: DesiredCameraSubscription): boolean {
  const keys = Object.keys(a) as (keyof DesiredCameraSubscription)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
