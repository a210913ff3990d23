import type { RedisService } from '../redis-service.js';

/** A private Redis Cluster on 127.0.0.1. */
export interface RedisClusterService {
  /** The initial masters, then their replicas in the same order. */
  readonly nodes: readonly RedisService[];
  /** The node that currently serves a key, according to the nodes that answer. */
  ownerOf(key: string): Promise<RedisService>;
  /** Moves the slot of `key`, with all keys in it, to another master. */
  moveSlotOf(key: string, to: RedisService): Promise<void>;
  /** Ends all nodes permanently. */
  stop(): Promise<void>;
}
