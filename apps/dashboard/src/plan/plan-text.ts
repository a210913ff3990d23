import type { HeldMove, PlanAction, RejectionCounts, PlanAnswer, WorkerScore } from '../api/cluster-types.js';
import { counted } from '../wording/counted.js';
import { type Texts, textOf } from '../wording/phrase.js';

/** Why a worker does not take a camera. */
export const REJECTIONS: Texts = {
  'not-ready': 'not ready',
  cordoned: 'cordoned',
  draining: 'draining',
  memory: 'memory 92 % or more in use',
  'gpu-memory': 'GPU memory 92 % or more in use',
  'too-large': 'too small for this camera',
  selector: 'lacks the labels',
  penalty: 'recently refused it',
  capacity: 'full',
};

/** Why a camera leaves its worker. */
export const LEAVE_REASONS: Texts = {
  'worker-removed': 'its worker was removed from the configuration',
  'worker-offline': 'its worker is offline',
  selector: 'its worker lacks the labels',
  penalty: 'its worker refused it',
  'over-capacity': 'its worker is over capacity',
  preempted: 'a camera with a higher priority takes its place',
  drain: 'its worker is being drained',
  balance: 'to balance the load',
  'not-desired': 'it is no longer desired',
};

/** Why a planned move waits. */
export const HOLDS: Texts = {
  settling: 'until the set of workers has not changed for 20 seconds',
  budget: 'for the next round: the limit of moves in this round is reached',
  'in-flight': 'until a move in progress ends',
  cooldown: 'because the camera was moved recently',
  resting: 'because rebalancing has reached its limit and pauses for 5 minutes',
  'no-room': 'because no other worker can take it',
  window: 'for the next window in which the load is balanced',
  frozen: 'because the cluster is frozen',
};

/** The action of a step. The names of the camera and the workers are shown beside it. */
export function actionText({ type, reason, breaksFirst, waits }: PlanAction): string {
  const parts = [
    reason === undefined ? '' : because(reason),
    breaksFirst === true ? 'stops at the old worker first' : '',
    waits === true ? 'waits for capacity' : '',
  ].filter(Boolean);
  const verb = { place: 'Place', move: 'Move', evict: 'Stop', abort: 'Cancel the move' }[type] ?? type;
  return parts.length === 0 ? verb : `${verb}: ${parts.join('; ')}`;
}

export function heldText({ reason, heldBy }: HeldMove): string {
  return `Planned: ${because(reason)}. Waiting ${textOf(HOLDS, heldBy)}.`;
}

/** E.g. `2 workers full, 1 worker cordoned`. */
export function rejectionText(counts: RejectionCounts): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return 'no worker';
  return entries
    .map(([reason, count]) => `${counted(count, 'worker')} ${textOf(REJECTIONS, reason)}`)
    .join(', ');
}

function because(reason: string): string {
  return textOf(LEAVE_REASONS, reason);
}

/** What can be said of the load after a plan. */
export type LoadState = 'rebalancing' | 'balanced' | 'no-worker' | 'unplaced' | 'no-room';

interface LoadFigures extends Pick<PlanAnswer, 'balance' | 'unplaced'> {
  readonly held: readonly Pick<HeldMove, 'heldBy'>[];
  readonly scores: readonly Pick<WorkerScore, 'rejects'>[];
}

/** A full worker takes part in the balance. Without any worker that takes part, no load is balanced. */
export function loadState({ balance, held, scores, unplaced }: LoadFigures): LoadState {
  if (balance.rebalancing) return 'rebalancing';
  if (!scores.some(({ rejects }) => rejects === null || rejects === 'capacity')) return 'no-worker';
  if (unplaced.length > 0) return 'unplaced';
  return held.some(({ heldBy }) => heldBy === 'no-room') ? 'no-room' : 'balanced';
}
