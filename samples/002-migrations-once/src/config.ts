import { hostname } from 'node:os';

export const redisUrl = process.env.REDIS_URL ?? 'redis://localhost:6379';
export const databaseUrl = process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres';
export const replica = process.env.REPLICA ?? hostname();
