import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import { signal } from '@preact/signals';
import type { PlanAnswer } from '../api/cluster-types.js';

/** How long the page shows the progress of a rebalance. Moves that the master has dropped by then never end. Milliseconds. */
const SHOWN_FOR = 600_000;

export interface Rebalance {
  /** Milliseconds since 1970, by the service's clock. */
  readonly begunAt: number;
  /** Camera → URL of the worker that it moves to. */
  readonly moves: ReadonlyMap<string, string>;
}

export interface RebalanceProgress {
  readonly moved: number;
  readonly total: number;
}

/** The last rebalance that this page requested; null: none. */
export const lastRebalance = signal<Rebalance | null>(null);

/** The moves that a rebalance by this plan makes, those that are held back at first included. */
export function movesOf({ actions, held }: Pick<PlanAnswer, 'actions' | 'held'>): Rebalance['moves'] {
  const moves = actions.filter(({ type }) => type === 'move');
  return new Map(
    [...moves, ...held].flatMap(({ unitId, to }) => (to === undefined || to === null ? [] : [[unitId, to]])),
  );
}

/** How many cameras run where the rebalance wanted them. Null: there is nothing to show. */
export function rebalanceProgress(
  rebalance: Rebalance | null,
  subscriptions: Rows<SubscriptionRow>,
  now: number,
): RebalanceProgress | null {
  if (rebalance === null || rebalance.moves.size === 0 || now - rebalance.begunAt > SHOWN_FOR) return null;
  const { moves } = rebalance;
  const elsewhere = new Set<string>();
  for (const { subscriptionIdentifier, workerUrl } of Object.values(subscriptions)) {
    const cameraId = subscriptionIdentifier.slice(subscriptionIdentifier.indexOf(';') + 1);
    const to = moves.get(cameraId);
    if (to !== undefined && to !== workerUrl) elsewhere.add(cameraId);
  }
  return { moved: moves.size - elsewhere.size, total: moves.size };
}
