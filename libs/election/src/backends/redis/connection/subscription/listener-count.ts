import { isCluster, type RedisSource } from '../redis-source.js';

/** The subcommand of `PUBSUB` that counts the listeners of presence channels. */
export function listenerCount(source: RedisSource): 'NUMSUB' | 'SHARDNUMSUB' {
  return isCluster(source) ? 'SHARDNUMSUB' : 'NUMSUB';
}
