import type { GroupMembershipStatus } from '../group-membership-status.js';

/** When a group counts as unhealthy. All durations in milliseconds. */
export interface GroupHealthOptions {
  /** Whether somebody must lead. Default `true`. */
  readonly requireLeader?: boolean;
  /** How long there may be no leader before the group is down. Default: the time a takeover needs with the options of the group. */
  readonly maxLeaderless?: number;
  /** How long a process that was a member may be none. Default: the same. */
  readonly maxJoining?: number;
}

export type GroupHealth =
  { readonly status: 'up' } | { readonly status: 'degraded' | 'down'; readonly reason: string };

const problem = (isDown: boolean, reason: string) =>
  ({ status: isDown ? 'down' : 'degraded', reason }) as const;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Judges what a process knows of its group. */
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
