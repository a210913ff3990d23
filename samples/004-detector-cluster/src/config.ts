export const redis = process.env.REDIS_URL ?? 'redis://localhost:6379';
export const databaseUrl = process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres';
export const workers = (process.env.DETECTOR_WORKERS ?? 'ws://localhost:8000').split(',');
export const port = Number(process.env.PORT ?? 3000);
/** Prefix of all keys and channels in Redis; the cluster and the trigger must use the same one. */
export const keyPrefix = 'sample-004:';
