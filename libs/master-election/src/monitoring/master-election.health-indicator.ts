import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { getMasterElectionToken } from '../election/get-master-election-token.js';
import type { MasterElectionStatus } from '../participant/status-tracker.js';
import { assessElection } from './assess-election.js';

/** When an election counts as unhealthy. All durations in milliseconds. */
export interface ElectionHealthOptions {
  /** Name of the election, as given to `forFeature`. Default: the election of `forRoot`. */
  readonly election?: string;
  /** Whether the election needs a leader to be up. Default `true`; with `false` it is up while the store answers. */
  readonly requireLeader?: boolean;
  /**
   * How long there may be no leader, after the first one, before the election is down. Without this delay a failover would take
   * all processes out of service at once. Default `lockTtl`.
   */
  readonly maxLeaderless?: number;
  /** How long the store may fail before the election is down. Default `lockTtl`: by then no lease can be valid. */
  readonly maxStoreOutage?: number;
}

/** Details that the health indicator adds to the status. */
export type ElectionHealthDetails = Pick<MasterElectionStatus, 'role' | 'term' | 'leaderId' | 'leaseAge'> & {
  /** Why it is not `up`. */
  readonly reason?: string;
};

type Status = 'up' | 'degraded' | 'down';

/**
 * Health of an election for `@nestjs/terminus`, as this process knows it. It sends no request, so it answers at once even when the
 * store is unavailable. `up` while there is a leader. `degraded` while there is no leader or the store fails, up to the limits of
 * {@link ElectionHealthOptions}; terminus does not count this as a failure. Otherwise `down`.
 */
@Injectable()
export class MasterElectionHealthIndicator {
  constructor(
    private readonly health: HealthIndicatorService,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** @throws RangeError for a limit that is not a duration; the error of Nest if the application has no such election. */
  isHealthy<const Key extends string>(
    key: Key,
    options: ElectionHealthOptions = {},
  ): HealthIndicatorResult<Key, Status, ElectionHealthDetails> {
    for (const name of ['maxLeaderless', 'maxStoreOutage'] as const)
      if (options[name] !== undefined && !(options[name] >= 0))
        throw new RangeError(
          `${name} must be a number of milliseconds from 0 on, not ${String(options[name])}`,
        );
    const election = this.moduleRef.get(getMasterElectionToken(options.election), { strict: false });
    const known = election.getStatus();
    const { status, ...assessment } = assessElection(known, options);
    const { role, term, leaderId, leaseAge } = known;
    const details = { role, term, leaderId, leaseAge, ...assessment };
    const session = this.health.check(key);
    if (status === 'up') return session.up<ElectionHealthDetails>(details);
    return status === 'degraded'
      ? session.degraded<ElectionHealthDetails>(details)
      : session.down<ElectionHealthDetails>(details);
  }
}
