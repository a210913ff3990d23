import { RedisFence } from '@detector-cluster/election/fence';
import { commandSettings } from '@detector-cluster/election/redis';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { redisUrl } from './config.js';
import type { Order } from './order.js';

const ORDERS = 'sample-003:orders';
const LEDGER = 'sample-003:ledger';
const BATCH = 100;
/** Booked orders with a pending receipt. */
export const OWED = 'sample-003:owed';

/** A stream of orders, and the ledger of bookings. */
@Injectable()
export class OrderStore implements OnApplicationShutdown {
  // Bounded, and without automatic retries: a repeated booking would count twice.
  private readonly redis = new Redis(redisUrl, commandSettings);
  private readonly fence = new RedisFence(this.redis, 'sample-003:fence');

  /** Returns the next orders. Fences earlier masters like {@link owed}. */
  async unbooked(term: number): Promise<Order[]> {
    await this.fence.raise(term);
    const position = (await this.redis.hget(LEDGER, 'position')) ?? '0';
    const entries = await this.redis.xrange(ORDERS, `(${position}`, '+', 'COUNT', BATCH);
    return entries.map(([id, [, amount]]) => ({ id, amount: Number(amount) }));
  }

  /**
   * Ids of booked orders without a receipt: the master that booked them may have died, or never got the reply.
   * Fences earlier masters first, so that none of them books during the read.
   */
  async owed(term: number): Promise<string[]> {
    await this.fence.raise(term);
    return this.redis.smembers(OWED);
  }

  /**
   * Atomically books an order, stores its pending receipt, and advances the position.
   * @throws FencedError if a later master has taken over; then nothing is written.
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
