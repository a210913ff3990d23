import {
  readPostgresUrl,
  SubscriptionTrigger,
  subscriptionTriggers,
} from '@detector-cluster/detector-cluster/prisma';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { databaseUrl, keyPrefix, redis } from './config.js';
import { PrismaClient } from './generated/prisma/client.js';

export const trigger = new SubscriptionTrigger({ redis, keyPrefix });
const { pool, schema } = readPostgresUrl(databaseUrl);
const client = new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });

/** Notifies the master of each committed write that changes the desired state. Add other extensions after this one. */
export const prisma = client.$extends(subscriptionTriggers({ trigger }));

/** Closes both with the application. */
@Injectable()
export class PrismaConnections implements OnApplicationShutdown {
  async onApplicationShutdown(): Promise<void> {
    await prisma.$disconnect();
    await trigger.close();
  }
}
