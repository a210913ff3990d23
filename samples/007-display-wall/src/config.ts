import { hostname } from 'node:os';

export const redis = process.env.REDIS_URL ?? 'redis://localhost:6379';
export const workers = (process.env.DETECTOR_WORKERS ?? 'ws://localhost:8000').split(',');
export const replica = process.env.REPLICA ?? hostname();
export const host = process.env.HOST ?? '127.0.0.1';
export const port = Number(process.env.PORT ?? 3000);
/** Prefix of all keys and channels in Redis. */
export const keyPrefix = 'sample-007:';
