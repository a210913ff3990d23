/**
 * Health of the cluster for `@nestjs/terminus`.
 *
 * @example
 * ```ts
 * import { DetectorClusterHealthIndicator } from '@detector-cluster/detector-cluster/health';
 * import { Controller, Get } from '@nestjs/common';
 * import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
 *
 * @Controller('health')
 * export class HealthController {
 *   constructor(
 *     private readonly health: HealthCheckService,
 *     private readonly cluster: DetectorClusterHealthIndicator,
 *   ) {}
 *
 *   @Get()
 *   @HealthCheck()
 *   check() {
 *     return this.health.check([() => this.cluster.isHealthy('cluster')]);
 *   }
 * }
 * ```
 * @packageDocumentation
 */
export type { ClusterHealthDetails, ClusterHealthOptions } from './cluster-health.js';
export { DetectorClusterHealthIndicator } from './detector-cluster.health-indicator.js';
export { DetectorClusterHealthModule } from './detector-cluster-health.module.js';
