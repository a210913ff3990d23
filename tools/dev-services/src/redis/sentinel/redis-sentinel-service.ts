import type { RedisService } from '../redis-service.js';

/** A private master with replicas, watched over by sentinels, on 127.0.0.1. */
export interface RedisSentinelService {
  /** The name under which the sentinels know the master. */
  readonly name: string;
  /** For a client: `new Redis({ sentinels, name })`. */
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The first master, then the replicas. */
  readonly nodes: readonly RedisService[];
  /** The processes of the sentinels. */
  readonly watchers: readonly RedisService[];
  /** The master according to the sentinels. */
  master(): Promise<RedisService>;
  /** Makes the sentinels promote a replica. Waits until all of them agree and it is a master. Returns the new master. */
  failover(): Promise<RedisService>;
  /** Waits until the sentinels have promoted a node other than `before`, which has been killed or frozen. */
  promoted(before: RedisService): Promise<RedisService>;
  /** Ends all servers permanently. */
  stop(): Promise<void>;
}
