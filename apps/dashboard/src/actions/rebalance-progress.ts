import type { RebalanceRow, Rows } from '@detector-cluster/dashboard-protocol';
import { instantOf } from '../time/instant.js';
import { counted } from '../wording/counted.js';

/** How long pages show a rebalance after its end. Milliseconds. */
const SHOWN_FOR = 300_000;

/** The rebalance to show: the last one, until some time after its end. @param now milliseconds since 1970 */
export function currentRebalance(rows: Rows<RebalanceRow>, now: number): RebalanceRow | null {
  const [last] = Object.values(rows);
  if (last === undefined) return null;
  if (last.endedAt === null) return last;
  return now - (instantOf(last.endedAt) ?? 0) > SHOWN_FOR ? null : last;
}

/** How far a rebalance has come, for people. */
export function rebalanceText({ moved, left, endedAt }: RebalanceRow): string {
  if (endedAt !== null) return moved === 0 ? 'nothing to move' : `${counted(moved, 'camera')} moved`;
  return left === 0 ? `${moved} moved` : `${moved} moved, at least ${left} to go`;
}
