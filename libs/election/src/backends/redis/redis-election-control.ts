import type { Redis } from 'ioredis';
import type { ElectionControl, LeaderView } from '../../contract/election-control.js';
import { candidateOfOwner } from '../../lease/lease-owner.js';
import { boundedCall } from './connection/bounded-call.js';
import { closeRedis, commandSettings, openRedis } from './connection/redis-connection.js';
import type { DirectRedisSource } from './connection/redis-source.js';
import { electionKeys } from './election-keys.js';

/** Longest time of a call, and of the connection before it. Milliseconds. */
const TIMEOUT = 3_000;

/** A request that no leader has read expires after this time. Milliseconds. */
const REQUEST_TTL = 60_000;

/** An election on Redis as seen from outside, see {@link ElectionControl}. */
export class RedisElectionControl implements ElectionControl {
  private readonly redis: Redis;
  private readonly lease: string;
  private readonly request: string;

  constructor({ redis, lockName }: { readonly redis: DirectRedisSource; readonly lockName: string }) {
    this.redis = openRedis(redis, {
      ...commandSettings,
      commandTimeout: TIMEOUT,
      connectionName: 'election:control',
    });
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

  private call<Reply>(work: () => Promise<Reply>): Promise<Reply> {
    return boundedCall(this.redis, TIMEOUT, work);
  }
}
