import type { RedisSentinelService, RedisService } from '@detector-cluster/dev-services';
import type { AppProcess } from '@detector-cluster/local-cluster';
import { pause } from '../support/until.js';
import { call } from './call.js';

/**
 * Kills the master of Redis with a backlog that its replicas do not have: for `lag` ms they receive nothing, and the owners of
 * partitions take nothing. The replicas are frozen and disconnected, because a replica that is only frozen would still find the
 * master's last data in its socket.
 */
export async function killBehind(
  sentinel: RedisSentinelService,
  master: RedisService,
  owners: readonly AppProcess[],
  lag: number,
  signal: AbortSignal,
): Promise<void> {
  const frozen = [...sentinel.nodes.filter((node) => node !== master), ...owners];
  for (const each of frozen) each.pause();
  try {
    await call(master, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'));
    await pause(lag, signal);
    await master.kill();
  } finally {
    for (const each of frozen) each.resume();
  }
}
