import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Waits until a server has been up for long enough to grant leases of this length. */
export async function untilElectable(url: string, lockTtl: number): Promise<void> {
  const redis = new Redis(url);
  const quiet = Math.ceil(lockTtl / 1_000) + 1;
  const uptime = async () => Number(/uptime_in_seconds:(\d+)/.exec(await redis.info('server'))![1]);
  while ((await uptime()) < quiet) await sleep(100);
  redis.disconnect();
}
