import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { RebalanceProgress } from '../shared/cluster-state.js';
import { readJson } from '../shared/read-json.js';
import type { Plan } from '@detector-cluster/placement';
import type { EndedMove, StreamMove } from '@detector-cluster/placement/internal';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import type { FencedStore } from '@detector-cluster/election/fence';

/** The decisions and observations of a pass. */
export interface RebalanceFacts {
  readonly plan: Pick<Plan, 'actions' | 'balance' | 'held'>;
  readonly moves: ReadonlyMap<string, Pick<StreamMove, 'reason'>>;
  readonly ended: readonly { readonly move: Pick<EndedMove['move'], 'reason'>; readonly outcome: string }[];
  /** The master has not heard all workers, or the network seems to fail: the pass moves nothing, whatever is left. */
  readonly paused: boolean;
}

/** Keeps the progress of the last rebalance that was requested in Redis, for pages and for the next master. */
export class RebalanceRecord {
  private progress: RebalanceProgress | null = null;
  private written: string | null = null;

  constructor(
    private readonly store: Pick<FencedStore, 'write'>,
    private readonly keys: Pick<ClusterKeys, 'rebalance'>,
  ) {}

  async load(redis: Redis): Promise<void> {
    this.written = await redis.get(this.keys.rebalance);
    this.progress = readRebalance(this.written);
  }

  /** The next pass writes it again: Redis may have lost it. */
  invalidate(): void {
    this.written = null;
  }

  /** A pass has begun a rebalance. @param by who has requested it; null: unknown */
  begin(by: string | null): void {
    this.progress = { by, since: new Date().toISOString(), moved: 0, left: 0, endedAt: null };
  }

  /** Counts what a pass has moved and what is left. Never rejects: the next pass writes what could not be written. */
  async look({ plan, moves, ended, paused }: RebalanceFacts): Promise<void> {
    const { progress } = this;
    if (progress === null) return;
    if (progress.endedAt === null) {
      const left = paused ? progress.left : leftOf(plan, moves);
      const rests = plan.held.some(({ heldBy }) => heldBy === 'resting');
      const done = !paused && left === 0 && (rests || !plan.balance.rebalancing);
      this.progress = {
        ...progress,
        moved: progress.moved + ended.filter(hasMoved).length,
        left,
        endedAt: done ? new Date().toISOString() : null,
      };
    }
    const text = JSON.stringify(this.progress);
    if (text === this.written) return;
    try {
      await this.store.write([['SET', this.keys.rebalance, text]]);
      this.written = text;
    } catch {
      this.written = null;
    }
  }
}

function hasMoved({ move, outcome }: RebalanceFacts['ended'][number]): boolean {
  return move.reason === 'balance' && (outcome === 'finished' || outcome === 'taken-over');
}

/** Moves under way, those of the plan, and those that it holds back while it rebalances, unless it has made all moves that it may. */
function leftOf({ actions, balance, held }: RebalanceFacts['plan'], moves: RebalanceFacts['moves']): number {
  const left = new Set<string>();
  for (const [unitId, { reason }] of moves) if (reason === 'balance') left.add(unitId);
  for (const action of actions)
    if (action.type === 'move' && action.reason === 'balance') left.add(action.unitId);
  for (const { unitId, reason, to, heldBy } of held)
    if (balance.rebalancing && reason === 'balance' && to !== null && heldBy !== 'resting') left.add(unitId);
  return left.size;
}

const progressSchema = z.object({
  by: z.string().nullable(),
  since: z.iso.datetime(),
  moved: z.int().min(0),
  left: z.int().min(0),
  endedAt: z.iso.datetime().nullable(),
});

/** Null: there is none, or it is not readable. */
export const readRebalance = (text: string | null): RebalanceProgress | null =>
  readJson(progressSchema, text);
