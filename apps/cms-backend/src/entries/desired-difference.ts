import type {
  ChangedRows,
  DesiredCameraSubscription,
  DesiredState,
  SkippedDisplay,
} from '@detector-cluster/detector-cluster';
import { PrismaDesiredSource } from '@detector-cluster/detector-cluster/prisma';
import type { Client } from './entry-kind.js';

/** Once so many displays have been read, the impact is computed without the others. */
const MAX_DISPLAYS = 2_000;

/** The effect of a change on the desired state. */
export interface DesiredDifference {
  readonly added: readonly DesiredCameraSubscription[];
  readonly changed: readonly DesiredCameraSubscription[];
  readonly removed: readonly string[];
  /** Displays that have no subscription after the change. */
  readonly skipped: readonly SkippedDisplay[];
  readonly complete: boolean;
}

/** The part of the desired state that depends on the rows, and whether the part is complete. */
export async function readDesired(
  client: Client,
  rows: ChangedRows,
): Promise<{ state: DesiredState; complete: boolean }> {
  const state: DesiredState = { subscriptions: [], skipped: [] };
  // The caller's transaction is the snapshot.
  const source = new PrismaDesiredSource({ display: client.display });
  for await (const { subscriptions, skipped } of source.readSome(rows)) {
    if (displaysIn(state).length >= MAX_DISPLAYS) return { state, complete: false };
    state.subscriptions.push(...subscriptions);
    state.skipped.push(...skipped);
  }
  return { state, complete: true };
}

/** The displays of a part of the desired state. */
export function displaysIn({ subscriptions, skipped }: DesiredState): string[] {
  return [
    ...subscriptions.map(({ subscriptionIdentifier: id }) => id.slice(0, id.indexOf(';'))),
    ...skipped.map(({ displayId }) => displayId),
  ];
}

export function differenceOf(before: DesiredState, after: DesiredState): Omit<DesiredDifference, 'complete'> {
  const old = new Map(before.subscriptions.map((one) => [one.subscriptionIdentifier, one]));
  const next = new Map(after.subscriptions.map((one) => [one.subscriptionIdentifier, one]));
  return {
    added: after.subscriptions.filter(({ subscriptionIdentifier: id }) => !old.has(id)),
    changed: after.subscriptions.filter((one) => {
      const was = old.get(one.subscriptionIdentifier);
      return was !== undefined && parametersOf(was) !== parametersOf(one);
    }),
    removed: before.subscriptions.flatMap(({ subscriptionIdentifier: id }) => (next.has(id) ? [] : [id])),
    skipped: after.skipped,
  };
}

/** The fields of a subscription that workers get, as a text. */
function parametersOf({ createdAt: _createdAt, ...parameters }: DesiredCameraSubscription): string {
  return JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
