import { onFastestClock } from '@detector-cluster/election/internal';
import type { ElectionTimes } from '@detector-cluster/election/internal/redis';

/**
 * How long a cluster can be without a master after a fault, in milliseconds, for an election on Redis. If the timing of its processes differs,
 * the longest counts: that of the master that is replaced, and that of the follower that replaces it.
 */
interface ElectionBounds {
  /** The master's process died; the network and Redis work. */
  readonly killed: number;
  /** Its host died, its process is frozen, or the network is partitioned. */
  readonly lost: number;
  /** Redis restarted; counted from its start. */
  readonly storeRestarted: number;
}

/** Allowance for a busy event loop and for round trips. */
const SLACK = 700;

const quiet = (validity: number) => (Math.ceil(validity / 1_000) + 1) * 1_000;

export function electionBounds(times: ElectionTimes): ElectionBounds {
  const { lockTtl, checkInterval, crashDetection, presenceLook, presenceGrace, presenceValidity } = times;
  const lost = lockTtl + checkInterval + 500;
  if (crashDetection === 'lease') return { killed: lost, lost, storeRestarted: quiet(lockTtl) };
  return {
    killed: Math.min(lost, 1.2 * presenceLook + presenceGrace + SLACK),
    lost,
    storeRestarted: quiet(onFastestClock(presenceValidity)),
  };
}
