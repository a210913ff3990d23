import { SubscriptionTrigger } from '@detector-cluster/detector-cluster';
import { Injectable, type OnApplicationShutdown, Inject } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';

/**
 * Notifies the master that the database has changed. It lives as long as the Prisma client that uses it; the detector cluster
 * lends it a connection.
 */
@Injectable()
export class RegenerationTrigger extends SubscriptionTrigger implements OnApplicationShutdown {
  constructor(@Inject(APP_CONFIG) { redis, cluster }: AppConfig) {
    super({ redis, keyPrefix: cluster.keyPrefix });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
