import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { GroupMembershipHealthIndicator } from './group-membership.health-indicator.js';

/** Provides {@link GroupMembershipHealthIndicator}. */
@Module({
  imports: [TerminusModule],
  providers: [GroupMembershipHealthIndicator],
  exports: [GroupMembershipHealthIndicator],
})
export class GroupMembershipHealthModule {}
