import { commandSettings, openRedis, type RedisSource } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

const { commandTimeout: _, ...withoutTimeout } = commandSettings;

export const patientSettings = { ...withoutTimeout, enableOfflineQueue: true };

/** A connection of a test. It waits for a Redis that is slow for a moment, unlike the processes under test. */
export const openPatientRedis = (source: RedisSource): Redis => openRedis(source, patientSettings);
