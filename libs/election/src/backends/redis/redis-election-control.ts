import type { Redis } from 'ioredis';
import type { ElectionControl, LeaderView } from '../../contract/election-control.js';
import { closeRedis, commandSettings, openRedis } from './connection/redis-connection.js';
import type { DirectRedisSource } from './connection/redis-source.js';
import { toStoreError } from './connection/errors/to-store-error.js';
import { electionKeys } from './election-keys.js';
import { candidateOfOwner } from './lease/lease-owner.js';

/** A request that nobody heard is forgotten after so long. Milliseconds. */
const REQUEST_TTL = 60_000;

/** An election on Redis as seen from outside, see {@link ElectionControl}. */
export class RedisElectionControl implements ElectionControl {
  private readonly redis: Redis;
  private readonly lease: string;
  private readonly request: string;

  constructor({ redis, lockName }: { readonly redis: DirectRedisSource; readonly lockName: string }) {
    this.redis = openRedis(redis, { ...commandSettings, enableOfflineQueue: true, commandTimeout: 3_000 });
    this.lease = electionKeys(lockName).lease;
    this.request = `${lockName}:resign`;
  }

  async leader(): Promise<LeaderView | null> {
    const [owner, term] = await this.call(() => this.redis.hmget(this.lease, 'owner', 'term'));
    return owner && term ? { leaderId: candidateOfOwner(owner), term: Number(term) } : null;
  }

  async requestResign(term: number): Promise<void> {
    await this.call(() => this.redis.set(this.request, term, 'PX', REQUEST_TTL));
  }

  async isResignRequested(term: number): Promise<boolean> {
    return (await this.call(() => this.redis.get(this.request))) === String(term);
  }

  close(): Promise<void> {
    closeRedis(this.redis);
    return Promise.resolve();
  }

  private async call<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error);
    }
  }
}
