export const redis = process.env.REDIS_URL ?? 'redis://localhost:6379';
export const databaseUrl = process.env.DATABASE_URL ?? 'postgresql://localhost:5432/postgres';
export const workers = (process.env.DETECTOR_WORKERS ?? 'ws://localhost:8000').split(',');
export const port = Number(process.env.PORT ?? 3000);
/** Of all keys and channels in Redis; the same for the cluster and for the trigger. */
export const keyPrefix = 'sample-004:';
