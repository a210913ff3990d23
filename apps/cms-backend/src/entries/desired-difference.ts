import type {
  ChangedRows,
  DesiredCameraSubscription,
  DesiredState,
  SkippedDisplay,
} from '@detector-cluster/detector-cluster';
import { PrismaDesiredSource } from '@detector-cluster/detector-cluster/prisma';
import type { Client } from './entry-kind.js';

/** The impact is computed for at most this many displays. */
const MOST_DISPLAYS = 2_000;

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
  let complete = true;
  const source = new PrismaDesiredSource({
    display: {
      findMany: async (query: object) => {
        const found = await client.display.findMany({ ...query, take: MOST_DISPLAYS + 1 });
        complete = found.length <= MOST_DISPLAYS;
        return found.slice(0, MOST_DISPLAYS);
      },
    },
  });
  const state = await source.readSome(rows);
  return { state, complete };
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
