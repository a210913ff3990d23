/**
 * Group membership as a Nest module.
 *
 * @example
 * ```ts
 * import { GroupMembershipModule } from '@detector-cluster/group-membership/nest';
 * import { RedisLeaderStore } from '@detector-cluster/group-membership/redis';
 * import { Module } from '@nestjs/common';
 *
 * @Module({
 *   imports: [
 *     GroupMembershipModule.forRoot({
 *       internalAddress: '10.0.0.7:7400',
 *       secret: process.env.GROUP_SECRET!,
 *       tls: false, // in a private network; else { key, cert, ca }
 *       store: new RedisLeaderStore({ redis: 'redis://localhost:6379' }),
 *     }),
 *   ],
 * })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
export {
  GroupMembership,
  type GroupMembershipStatus,
  JoinNotBegunError,
  JoinTimeoutError,
  GROUP_MEMBERSHIP_OPTIONS,
} from './group-membership.js';
export { GroupMembershipModule } from './group-membership.module.js';
