import { RedisFence } from '@detector-cluster/election/fence';
import { commandSettings } from '@detector-cluster/election/redis';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { redisUrl } from './config.js';
import type { Order } from './order.js';

const ORDERS = 'sample-003:orders';
const LEDGER = 'sample-003:ledger';
const BATCH = 100;
/** Orders that are booked and whose receipt has not been sent. */
export const OWED = 'sample-003:owed';

/** Orders in a stream, and the ledger in which they are booked. */
@Injectable()
export class OrderStore implements OnApplicationShutdown {
  // Bounded, and nothing is sent again behind our back: a booking that was would count twice.
  private readonly redis = new Redis(redisUrl, commandSettings);
  private readonly fence = new RedisFence(this.redis, 'sample-003:fence');

  /** The next orders. Shuts earlier masters out like {@link owed}. */
  async unbooked(term: number): Promise<Order[]> {
    await this.fence.raise(term);
    const position = (await this.redis.hget(LEDGER, 'position')) ?? '0';
    const entries = await this.redis.xrange(ORDERS, `(${position}`, '+', 'COUNT', BATCH);
    return entries.map(([id, [, amount]]) => ({ id, amount: Number(amount) }));
  }

  /**
   * Ids of orders that are booked and have no receipt yet: the master that booked them may have died, or never got the reply.
   * Fences earlier masters first, so that none of them books during the read.
   */
  async owed(term: number): Promise<string[]> {
    await this.fence.raise(term);
    return this.redis.smembers(OWED);
  }

  /**
   * Books an order, owes its receipt, and moves on, in one go: all or nothing.
   * @throws FencedError when a later master has taken over; nothing is written then.
   */
  async book({ id, amount }: Order, term: number): Promise<void> {
    await this.fence.write(term, [
      ['HINCRBY', LEDGER, 'orders', 1],
      ['HINCRBY', LEDGER, 'total', amount],
      ['HSET', LEDGER, 'position', id],
      ['SADD', OWED, id],
    ]);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
