import type { Lease } from '@detector-cluster/election';
import type { Redis } from 'ioredis';
import type { PrismaClient } from './generated/prisma/client.js';

declare const lease: Lease;
declare const redis: Redis;
declare const prisma: PrismaClient;
declare const id: string;
declare const json: string;
/* block */
