import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { GroupMembership, type GroupMembershipStatus } from './group-membership.js';
import { assessGroup, type GroupHealthOptions } from './assess-group.js';

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
