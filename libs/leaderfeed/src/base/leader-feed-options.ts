import { durationProblems, MAX_TIMER } from '@detector-cluster/election/internal';
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@detector-cluster/election';

export interface LeaderFeedOptions {
  /** Id of this node, unique among all nodes. Default: a random one. */
  readonly id?: string;
  /** Whether `start` creates the database, table or collection if it is missing. Default true. */
  readonly createIfMissing?: boolean;
  /** How often a leader confirms itself. Default 1,000 ms. */
  readonly heartbeatIntervalMs?: number;
  /**
   * A follower that hears nothing for a random time elects itself. This is the shortest such time. Default: 2 × `heartbeatIntervalMs`,
   * which also replaces a smaller value.
   */
  readonly electionTimeoutMinMs?: number;
  /** The longest such time. Default: 2 × `electionTimeoutMinMs`, which also replaces a smaller value. */
  readonly electionTimeoutMaxMs?: number;
  readonly clock?: Clock;
  /** Random numbers in [0, 1) for these times. */
  readonly random?: () => number;
}

export type ResolvedLeaderFeedOptions = Required<LeaderFeedOptions>;

/**
 * Fills in the defaults, and raises election timeouts that are below their minimum.
 * @throws RangeError that names all problems.
 */
export function resolveLeaderFeedOptions(options: LeaderFeedOptions = {}): ResolvedLeaderFeedOptions {
  const { id = randomUUID(), createIfMissing = true, clock = systemClock, random = Math.random } = options;
  const { heartbeatIntervalMs = 1_000 } = options;
  const { electionTimeoutMinMs: min = 1, electionTimeoutMaxMs: max = 1 } = options;
  const problems = [
    ...idProblems(id),
    ...durationProblems(
      { heartbeatIntervalMs, electionTimeoutMinMs: min, electionTimeoutMaxMs: max },
      MAX_TIMER,
    ),
  ];
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const electionTimeoutMinMs = Math.max(min, 2 * heartbeatIntervalMs);
  const electionTimeoutMaxMs = Math.max(max, 2 * electionTimeoutMinMs);
  const durations = { heartbeatIntervalMs, electionTimeoutMinMs, electionTimeoutMaxMs };
  problems.push(...durationProblems(durations, MAX_TIMER));
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return { id, createIfMissing, ...durations, clock, random };
}

function idProblems(id: unknown): string[] {
  if (typeof id === 'string' && id !== '') return [];
  return [`id must be a string that is not empty and unique among all nodes, not ${JSON.stringify(id)}`];
}
