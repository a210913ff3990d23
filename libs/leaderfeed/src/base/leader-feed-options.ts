import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@detector-cluster/election';

export interface LeaderFeedOptions {
  /** Of this node, unique among all nodes. Default: a random one. */
  readonly id?: string;
  /** Whether `start` makes the database, table or collection where it is missing. Default true. */
  readonly createIfMissing?: boolean;
  /** How often a leader confirms itself. Default 1,000 ms. */
  readonly heartbeatIntervalMs?: number;
  /** A follower that hears nothing for a random time elects itself; not before this. Default, and least: 2 × heartbeat interval. */
  readonly electionTimeoutMinMs?: number;
  /** The longest such time. Default, and least: 2 × `electionTimeoutMinMs`. */
  readonly electionTimeoutMaxMs?: number;
  readonly clock?: Clock;
  /** For the random times, in [0, 1). */
  readonly random?: () => number;
}

export type ResolvedLeaderFeedOptions = Required<LeaderFeedOptions>;

/** A timer of Node takes no longer time. Milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Fills in the defaults. Throws a `RangeError` that names all that is wrong. */
export function resolveLeaderFeedOptions(options: LeaderFeedOptions = {}): ResolvedLeaderFeedOptions {
  const { id = randomUUID(), createIfMissing = true, clock = systemClock, random = Math.random } = options;
  const { heartbeatIntervalMs = 1_000 } = options;
  const { electionTimeoutMinMs = 2 * heartbeatIntervalMs } = options;
  const { electionTimeoutMaxMs = 2 * electionTimeoutMinMs } = options;
  const durations = { heartbeatIntervalMs, electionTimeoutMinMs, electionTimeoutMaxMs };
  const problems = [...idProblems(id), ...durationProblems(durations)];
  if (problems.length === 0) problems.push(...relationProblems(durations));
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  return { id, createIfMissing, ...durations, clock, random };
}

type Durations = Pick<
  ResolvedLeaderFeedOptions,
  'heartbeatIntervalMs' | 'electionTimeoutMinMs' | 'electionTimeoutMaxMs'
>;

function idProblems(id: unknown): string[] {
  if (typeof id === 'string' && id !== '') return [];
  return [`id must be a string that is not empty and unique among all nodes, not ${JSON.stringify(id)}`];
}

function durationProblems(durations: Durations): string[] {
  return Object.entries(durations)
    .filter(([, value]) => !Number.isInteger(value) || value <= 0 || value > LONGEST)
    .map(
      ([name, value]) => `${name} must be a whole number of milliseconds from 1 to ${LONGEST}, not ${value}`,
    );
}

function relationProblems({
  heartbeatIntervalMs,
  electionTimeoutMinMs,
  electionTimeoutMaxMs,
}: Durations): string[] {
  const problems: string[] = [];
  if (electionTimeoutMinMs < 2 * heartbeatIntervalMs)
    problems.push(
      `electionTimeoutMinMs (${electionTimeoutMinMs}) must be at least twice heartbeatIntervalMs (${heartbeatIntervalMs}), ` +
        'so that one late heartbeat does not cause an election',
    );
  if (electionTimeoutMaxMs < 2 * electionTimeoutMinMs)
    problems.push(
      `electionTimeoutMaxMs (${electionTimeoutMaxMs}) must be at least twice electionTimeoutMinMs (${electionTimeoutMinMs}), ` +
        'so that nodes rarely elect themselves at the same time',
    );
  return problems;
}
