import { Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type HealthIndicatorResult, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import { GroupMembership, type GroupMembershipStatus } from './group-membership.js';

/** What the health indicator reports in addition to the status. */
export type GroupHealthDetails = Pick<GroupMembershipStatus, 'role' | 'id' | 'term' | 'members'> & {
  readonly leaderId: number | null;
  /** Why it is not `up`. */
  readonly reason?: string;
};

/**
 * Health of a group for `@nestjs/terminus`, as this process knows it; sends no request. `up` while this process is a member and
 * there is a leader. `degraded`, which terminus does not count as a failure, for the time that a takeover needs. Otherwise `down`.
 */
@Injectable()
export class GroupMembershipHealthIndicator {
  constructor(
    private readonly health: HealthIndicatorService,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** @throws RangeError for a limit that is not a duration */
  isHealthy<const Key extends string>(
    key: Key,
    options: GroupHealthOptions = {},
  ): HealthIndicatorResult<Key, 'up' | 'degraded' | 'down', GroupHealthDetails> {
    for (const name of ['maxLeaderless', 'maxJoining'] as const)
      if (options[name] !== undefined && !(options[name] >= 0))
        throw new RangeError(
          `${name} must be a number of milliseconds from 0 on, not ${String(options[name])}`,
        );
    const known = this.moduleRef.get(GroupMembership, { strict: false }).getStatus();
    const { status, ...assessment } = assessGroup(known, options);
    const { role, id, term, members, leader } = known;
    const details = { role, id, term, members, leaderId: leader?.id ?? null, ...assessment };
    const session = this.health.check(key);
    if (status === 'up') return session.up<GroupHealthDetails>(details);
    return status === 'degraded'
      ? session.degraded<GroupHealthDetails>(details)
      : session.down<GroupHealthDetails>(details);
  }
}

/** Provides {@link GroupMembershipHealthIndicator}. */
@Module({
  imports: [TerminusModule],
  providers: [GroupMembershipHealthIndicator],
  exports: [GroupMembershipHealthIndicator],
})
export class GroupMembershipHealthModule {}

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
