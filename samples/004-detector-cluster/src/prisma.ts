import { SubscriptionTrigger, subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { databaseUrl, keyPrefix, redis } from './config.js';
import { PrismaClient } from './generated/prisma/client.js';

const trigger = new SubscriptionTrigger({ redis, keyPrefix });
const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) });

/** Tells the master of each committed write that changes what is to be watched. Other extensions come after this one. */
export const prisma = client.$extends(subscriptionTriggers({ trigger }));
