import type { GroupMembershipStatus } from './group-membership.js';

/** Limits beyond which a group is unhealthy. All durations in milliseconds. */
export interface GroupHealthOptions {
  /** Whether the group must have a leader. Default `true`. */
  readonly requireLeader?: boolean;
  /** How long the group may have no leader before it is down. Default: the time that a takeover needs with the group's options. */
  readonly maxLeaderless?: number;
  /** How long a former member may be outside of the group. Default: the same. */
  readonly maxJoining?: number;
}

type GroupHealth =
  { readonly status: 'up' } | { readonly status: 'degraded' | 'down'; readonly reason: string };

const problem = (isDown: boolean, reason: string) =>
  ({ status: isDown ? 'down' : 'degraded', reason }) as const;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Derives the health of a group from what a process knows of it. */
export function assessGroup(status: GroupMembershipStatus, limits: GroupHealthOptions): GroupHealth {
  const { joiningFor, hasJoined, leaderlessFor, takeoverTime } = status;
  const { requireLeader = true, maxLeaderless = takeoverTime, maxJoining = takeoverTime } = limits;
  if (joiningFor !== null)
    return hasJoined
      ? problem(joiningFor > maxJoining, `no member for ${seconds(joiningFor)}`)
      : problem(true, `has not joined yet, for ${seconds(joiningFor)}`);
  if (requireLeader && leaderlessFor !== null)
    return problem(leaderlessFor > maxLeaderless, `no member has led for ${seconds(leaderlessFor)}`);
  return { status: 'up' };
}
