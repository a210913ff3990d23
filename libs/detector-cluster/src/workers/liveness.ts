import type { WorkerLiveness } from '@detector-cluster/placement/internal';

/** How long the master waits for a worker. Milliseconds. */
export interface LivenessLimits {
  /** Time without a state report after which a worker is Suspect. */
  readonly silence: number;
  /** Time as Suspect after which it is Offline and loses its subscriptions. */
  readonly eviction: number;
}

/** The contacts of the master with one worker. Times on a monotonic clock, in milliseconds. */
export interface LivenessFacts {
  /** When this master first tried to reach it; null before. */
  readonly since: number | null;
  /** Last state report over any connection of this master; null if there was none. */
  readonly lastReportAt: number | null;
  /** When its socket closed, until the next report; null while the connection that reported last is open. */
  readonly lostAt: number | null;
  /** How long frames have waited for this process since the last report: silence then is none of the worker's. Milliseconds. */
  readonly behind: number;
}

/**
 * Ready: reports arrive. Suspect: the socket is closed, or open and silent; it keeps its subscriptions and gets nothing
 * new. Offline: suspect for so long that its subscriptions move to other workers. Connecting: no report yet.
 */
export function liveness(facts: LivenessFacts, limits: LivenessLimits, now: number): WorkerLiveness {
  const suspectAt = suspectSince(facts, limits);
  if (now >= suspectAt + limits.eviction) return 'Offline';
  if (facts.lastReportAt === null) return 'Connecting';
  return now >= suspectAt ? 'Suspect' : 'Ready';
}

/** The next instant at which {@link liveness} changes if nothing more is heard; null if it never does. */
export function nextLivenessChange(facts: LivenessFacts, limits: LivenessLimits, now: number): number | null {
  const suspectAt = suspectSince(facts, limits);
  if (suspectAt === Number.POSITIVE_INFINITY) return null;
  if (now < suspectAt) return suspectAt;
  const offlineAt = suspectAt + limits.eviction;
  return now < offlineAt ? offlineAt : null;
}

function suspectSince(facts: LivenessFacts, limits: LivenessLimits): number {
  if (facts.lastReportAt === null) return facts.since ?? Number.POSITIVE_INFINITY;
  const silentAt = facts.lastReportAt + limits.silence + facts.behind;
  return facts.lostAt === null ? silentAt : Math.min(facts.lostAt, silentAt);
}
