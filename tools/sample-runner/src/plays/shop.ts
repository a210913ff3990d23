import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

const ORDER_EVERY = 25;

/** The source of orders: writes them into a stream until it is closed. */
export class Shop {
  private readonly closing = new AbortController();
  private readonly selling: Promise<void>;
  private orders = 0;
  private total = 0;

  constructor(
    private readonly redis: Redis,
    private readonly stream: string,
  ) {
    this.selling = this.sell();
  }

  /** Total number of orders. */
  async close(): Promise<{ orders: number; total: number }> {
    this.closing.abort();
    await this.selling;
    return { orders: this.orders, total: this.total };
  }

  private async sell(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const amount = 1 + (this.orders % 9);
      await this.redis.xadd(this.stream, '*', 'amount', amount);
      this.orders++;
      this.total += amount;
      await sleep(ORDER_EVERY);
    }
  }
}
