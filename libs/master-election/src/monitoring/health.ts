/**
 * Health of the election for `@nestjs/terminus`.
 *
 * @example
 * ```ts
 * import { MasterElectionHealthIndicator } from '@detector-cluster/master-election/health';
 * import { Controller, Get } from '@nestjs/common';
 * import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
 *
 * @Controller('health')
 * export class HealthController {
 *   constructor(
 *     private readonly health: HealthCheckService,
 *     private readonly election: MasterElectionHealthIndicator,
 *   ) {}
 *
 *   @Get()
 *   @HealthCheck()
 *   check() {
 *     return this.health.check([() => this.election.isHealthy('election')]);
 *   }
 * }
 * ```
 * @packageDocumentation
 */
export {
  type ElectionHealthDetails,
  MasterElectionHealthIndicator,
  type ElectionHealthOptions,
} from './master-election.health-indicator.js';
export { MasterElectionHealthModule } from './master-election-health.module.js';
