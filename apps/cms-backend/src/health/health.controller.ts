import { describeUnavailable } from '@detector-cluster/election/internal/redis';
import { DetectorClusterHealthIndicator } from '@detector-cluster/detector-cluster/health';
import { MasterElection } from '@detector-cluster/master-election';
import { MasterElectionHealthIndicator } from '@detector-cluster/master-election/health';
import { Controller, Get, type OnModuleDestroy, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Operation } from '../openapi/operation.decorator.js';
import { classifyDatabaseError } from '../stores/database-error.js';
import { DatabaseHealth } from '../stores/database-health.js';
import { RedisHealth } from '../stores/redis-health.js';
import {
  type HealthCheck,
  type Liveness,
  livenessSchema,
  type Readiness,
  readinessSchema,
} from './health.schema.js';

@Controller('health')
export class HealthController implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly database: DatabaseHealth,
    private readonly redis: RedisHealth,
    private readonly election: MasterElection,
    private readonly electionHealth: MasterElectionHealthIndicator,
    private readonly clusterHealth: DetectorClusterHealthIndicator,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  @Get('live')
  @Operation({ summary: 'Whether the process runs', isPublic: true, answer: livenessSchema })
  live(): Liveness {
    return { status: 'ok' };
  }

  /**
   * Whether this process can do its work: the database and Redis answer, it can read its detections, and a process leads or has
   * led a short while ago, so that a failover does not take all processes out of service. Not while it stops.
   */
  @Get('ready')
  @Operation({
    summary: 'Whether the process can do its work',
    isPublic: true,
    sameSchemaOn: [503],
    answer: readinessSchema,
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const [database, redis, { cluster }] = await Promise.all([
      this.database.check(),
      this.redis.check(),
      this.clusterHealth.isHealthy('cluster'),
    ]);
    const { election } = this.electionHealth.isHealthy('election');
    const checks = {
      database: database === null ? up : down(databaseReason(database)),
      redis: redis === null ? up : down(describeUnavailable(redis)),
      election: withRole(election),
      cluster: withRole(cluster),
    };
    const ready = !this.stopping && Object.values(checks).every(({ status }) => status !== 'down');
    if (!ready) response.status(503);
    return {
      status: ready ? 'ok' : 'unavailable',
      processId: this.election.getNodeId(),
      isMaster: this.election.getIsMaster(),
      checks,
    };
  }
}

/** The libraries keep the names of their source documents. This API calls a process that is not the master a follower. */
function withRole<T extends { readonly role: 'master' | 'slave' }>({ role, ...check }: T) {
  return { ...check, role: role === 'slave' ? ('follower' as const) : role };
}

const up: HealthCheck = { status: 'up' };

function down(reason: string): HealthCheck {
  return { status: 'down', reason };
}

function databaseReason(error: Error): string {
  const found = classifyDatabaseError(error);
  return found?.kind === 'unavailable' ? found.detail : 'the database fails';
}
