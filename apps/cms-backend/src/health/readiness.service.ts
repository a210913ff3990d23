import { MasterElection } from '@detector-cluster/master-election';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { classifyDatabaseError } from '../database/database-error.js';
import { DatabaseHealth } from '../database/database-health.js';
import { RedisHealth } from '../redis/redis-health.js';
import type { HealthCheck, Readiness } from './health.schema.js';

/** Whether this process can do its work: the database and Redis answer and it knows who leads. Not while it stops. */
@Injectable()
export class ReadinessService implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly database: DatabaseHealth,
    private readonly redis: RedisHealth,
    private readonly election: MasterElection,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  async check(): Promise<Readiness> {
    const [database, redis, election] = await Promise.all([
      this.database.check(),
      this.redis.check(),
      this.electionCheck(),
    ]);
    const checks = {
      database: database === null ? up : down(databaseReason(database)),
      redis: redis === null ? up : down('Redis cannot be reached'),
      election,
    };
    const ready = !this.stopping && Object.values(checks).every(({ status }) => status === 'up');
    return {
      status: ready ? 'ok' : 'unavailable',
      nodeId: this.election.getNodeId(),
      isMaster: this.election.getIsMaster(),
      checks,
    };
  }

  private electionCheck(): Promise<HealthCheck> {
    // Resolves with who leads, whoever it is.
    return this.election.waitForElectionComplete(0).then(
      () => up,
      (error: Error) => down(error.name === 'ElectionTimeoutError' ? 'nobody leads yet' : error.message),
    );
  }
}

const up: HealthCheck = { status: 'up' };

function down(reason: string): HealthCheck {
  return { status: 'down', reason };
}

function databaseReason(error: Error): string {
  const found = classifyDatabaseError(error);
  return found?.kind === 'unavailable' ? found.detail : 'the database fails';
}
