import { z } from 'zod';
import type { LeaveReason } from '../../planner/plan.types.js';
import { MOVE_TIMEOUT, type StreamMove } from './stream-move.js';

const reasons = [
  'worker-removed',
  'worker-offline',
  'selector',
  'penalty',
  'over-capacity',
  'preempted',
  'drain',
  'balance',
  'not-desired',
] as const satisfies readonly LeaveReason[];

const schema = z.object({
  unitId: z.string().min(1),
  from: z.string().min(1),
  to: z.string().min(1),
  reason: z.enum(reasons),
  /** The only phase that is stored: before it there is no move, after it the placement has changed. */
  phase: z.literal('preparing'),
  term: z.number(),
  since: z.iso.datetime(),
  /** Subscription → hash of the specification that `to` has confirmed. */
  told: z.record(z.string(), z.string()),
});

/** The record in `worker:moves` from which a successor continues. */
export function toMoveRecord(move: StreamMove, term: number): string {
  const { unitId, from, to, reason, since, told } = move;
  return JSON.stringify({
    unitId,
    from,
    to,
    reason,
    phase: 'preparing',
    term,
    since: new Date(since).toISOString(),
    told: Object.fromEntries(
      [...told].filter(([, { sentAt }]) => sentAt === null).map(([id, { specHash }]) => [id, specHash]),
    ),
  } satisfies z.infer<typeof schema>);
}

/** The move of a predecessor; its timeout restarts at `now` (monotonic milliseconds). Null: unreadable. */
export function fromMoveRecord(text: string, now: number): StreamMove | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { success, data } = schema.safeParse(value);
  if (!success) return null;
  const { unitId, from, to, reason, since, told } = data;
  return {
    unitId,
    from,
    to,
    reason,
    since: Date.parse(since),
    deadline: now + MOVE_TIMEOUT,
    told: new Map(
      Object.entries(told).map(([id, specHash]) => [id, { specHash, sentAt: null, attempts: 0 }]),
    ),
  };
}
