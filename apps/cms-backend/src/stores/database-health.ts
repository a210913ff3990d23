import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DependencyMonitor } from '../health/dependency-monitor.js';
import { type Database, DATABASE } from './prisma-client.js';
import { RegenerationTrigger } from './regeneration-trigger.js';

/** Whether Postgres answers. Logs each outage and its end, and closes the connections at the end of the application. */
@Injectable()
export class DatabaseHealth extends DependencyMonitor implements OnApplicationShutdown {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    trigger: RegenerationTrigger,
  ) {
    super(
      'Postgres',
      () => database.pool.query('select 1'),
      // The master notices an outage when it reads. Without a change, that takes up to 30 s.
      () => trigger.triggerSubscriptionUpdate('database-unavailable'),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop();
    await this.database.pool.end();
  }
}
