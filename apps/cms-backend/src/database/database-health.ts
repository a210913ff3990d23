import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DependencyMonitor, type DependencyStatus } from '../health/dependency-monitor.js';
import { type Database, DATABASE, RegenerationTrigger } from './prisma-client.js';

/** Whether Postgres answers. Logs each outage and its end, and closes the connections at the end of the application. */
@Injectable()
export class DatabaseHealth implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly monitor: DependencyMonitor;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    trigger: RegenerationTrigger,
  ) {
    this.monitor = new DependencyMonitor(
      'Postgres',
      () => this.database.pool.query('select 1'),
      // The master notices an outage when it reads. Without a change, that takes up to 30 s.
      () => trigger.triggerSubscriptionUpdate('database-unavailable'),
    );
  }

  onApplicationBootstrap(): void {
    this.monitor.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.monitor.stop();
    await this.database.pool.end();
  }

  /** The result of the last check; sends no query. */
  get status(): DependencyStatus {
    return this.monitor.status;
  }

  /** Null if the database answers, otherwise the error. */
  check(): Promise<Error | null> {
    return this.monitor.check();
  }
}
