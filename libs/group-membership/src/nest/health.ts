/**
 * Health of the group for `@nestjs/terminus`.
 *
 * @example
 * ```ts
 * import { GroupMembershipHealthIndicator } from '@detector-cluster/group-membership/nest/health';
 * import { Controller, Get } from '@nestjs/common';
 * import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
 *
 * @Controller('health')
 * export class HealthController {
 *   constructor(
 *     private readonly health: HealthCheckService,
 *     private readonly group: GroupMembershipHealthIndicator,
 *   ) {}
 *
 *   @Get()
 *   @HealthCheck()
 *   check() {
 *     return this.health.check([() => this.group.isHealthy('group')]);
 *   }
 * }
 * ```
 * @packageDocumentation
 */
export {
  type GroupHealthDetails,
  GroupMembershipHealthIndicator,
} from './group-membership.health-indicator.js';
export type { GroupHealthOptions } from './assess-group.js';
export { GroupMembershipHealthModule } from './group-membership-health.module.js';
