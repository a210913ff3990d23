import type { HeldMove, PlanAction, RejectionCounts } from '../api/cluster-types.js';
import { textOf } from '../wording/texts.js';
import { HOLDS, LEAVE_REASONS, REJECTIONS } from './plan-text.js';

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
    .map(([reason, count]) => `${count} ${count === 1 ? 'worker' : 'workers'} ${textOf(REJECTIONS, reason)}`)
    .join(', ');
}

function because(reason: string): string {
  return textOf(LEAVE_REASONS, reason);
}
