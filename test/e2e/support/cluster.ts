import {
  AcceptanceMonitor,
  LocalCluster,
  type AppProcess,
  type LocalClusterOptions,
} from '@detector-cluster/local-cluster';
import { afterEach } from 'vitest';

/** Long enough for a slow machine: no test measures time by it. */
export const TIMEOUT = 60_000;

/** Starts clusters that end with the test, whatever becomes of it; logs are shown when it fails. */
export function useClusters(): (options?: Partial<LocalClusterOptions>) => Promise<LocalCluster> {
  const clusters: LocalCluster[] = [];
  afterEach(async () => {
    await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()));
  });
  return async (options = {}) => {
    const cluster = await LocalCluster.start({
      backends: 3,
      workers: 2,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
      ...options,
    });
    clusters.push(cluster);
    return cluster;
  };
}

/** Watches what Redis accepts for a cluster, until the test ends. */
export function useMonitors(): (cluster: LocalCluster) => Promise<AcceptanceMonitor> {
  const monitors: AcceptanceMonitor[] = [];
  afterEach(() => {
    for (const monitor of monitors.splice(0)) monitor.stop();
  });
  return async (cluster) => {
    const monitor = new AcceptanceMonitor(cluster.redis.url, cluster.keyPrefix);
    monitors.push(monitor);
    await monitor.start();
    return monitor;
  };
}

/** The one master; another than `old`, if that is given. */
export const masterOf = (cluster: LocalCluster, old?: AppProcess): Promise<AppProcess> =>
  cluster.untilMaster(TIMEOUT, old);

/** Resolves when every desired subscription is active; with how many there are. */
export const allActive = (cluster: LocalCluster, expected?: number): Promise<number> =>
  cluster.untilActive(TIMEOUT, expected);
