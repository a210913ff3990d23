import { isEntry } from '../desired/checked-subscription.js';
import type { DesiredState, SkippedDisplay } from '../desired/desired-state-source.js';
import type { ExplicitSubscriptions } from '../desired/explicit/explicit-subscription-store.js';
import { specHash } from '../desired/stream/spec-hash.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import type { NetworkPolicy } from '../networks/network-policy.js';
import type { DesiredEntry } from '../reconcile/observation.js';

/** An entry without its hints, and its record. */
export interface Described {
  readonly entry: DesiredEntry;
  readonly record: string;
  readonly withheldHash: string | undefined;
}

export const displayOf = (subscriptionIdentifier: string): string =>
  parseSubscription(subscriptionIdentifier).displayId;

export function byDisplay(skipped: readonly SkippedDisplay[]): Map<string, readonly SkippedDisplay[]> {
  const rows = new Map<string, SkippedDisplay[]>();
  for (const row of skipped) {
    const others = rows.get(row.displayId);
    if (others === undefined) rows.set(row.displayId, [row]);
    else others.push(row);
  }
  return rows;
}

/** The last row, if a display has several. */
export function skippedRecord(rows: readonly SkippedDisplay[]): string {
  const { reason, detail } = rows.at(-1)!;
  return JSON.stringify({ reason, detail });
}

/** The valid subscriptions of the source; adds the other entries to `skipped`. */
export function objectsOf(state: DesiredState, skipped: SkippedDisplay[]): DesiredCameraSubscription[] {
  return (state.subscriptions as readonly unknown[]).filter((entry) => {
    if (isEntry(entry)) return true;
    skipped.push({ displayId: '', reason: 'malformed-row', detail: 'the entry is no object' });
    return false;
  }) as DesiredCameraSubscription[];
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

/** @param withheldHash the hash of the complete subscription if `spec` is incomplete */
export function entryOf(
  spec: DesiredCameraSubscription,
  withheldHash: string | undefined,
  hashKey: Buffer | undefined,
): DesiredEntry {
  return {
    // A copy, because the source may change its objects and return the same ones again.
    spec: { ...spec },
    hash: withheldHash ?? specHash(spec, hashKey),
    cameraId: parseSubscription(spec.subscriptionIdentifier).cameraId,
    ...(withheldHash !== undefined && { withheld: true }),
  };
}

export function sameSpec(a: DesiredCameraSubscription, b: DesiredCameraSubscription): boolean {
  const keys = Object.keys(a) as (keyof DesiredCameraSubscription)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

export function unreadable({ withheld, corrupt }: ExplicitSubscriptions): string[] {
  return [
    ...withheld.map(
      ({ spec }) =>
        `${spec.subscriptionIdentifier} (encrypted with a secret that this process does not have)`,
    ),
    ...corrupt.map(({ subscriptionIdentifier, detail }) => `${subscriptionIdentifier} (${detail})`),
  ];
}
