import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from './samples.js';

const ORDER_EVERY = 25;

/** The source of orders: writes them into a stream until it is closed. */
class Shop {
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

const SOME = 20;

/** Orders arrive continuously, while one master gets SIGTERM and its successor freezes. */
export const leaderOnlyConsumer: Sample = {
  folder: '003-leader-only-consumer',
  postgres: false,
  async play(stage) {
    const { redis } = stage;
    const ledger = async (field: string) => Number((await redis.hget('sample-003:ledger', field)) ?? 0);
    const moreOrders = async () => {
      const before = await ledger('orders');
      await stage.until('more orders are booked', async () => (await ledger('orders')) >= before + SOME);
    };
    const nextMaster = (since: number) =>
      stage.hears('a replica leads', ({ text }) => text.startsWith('leads, term'), since);

    await stage.startAll(3);
    const shop = new Shop(redis, 'sample-003:orders');
    const { replica: first } = await nextMaster(0);
    await moreOrders();

    stage.say(`SIGTERM to ${first.name}: it ends what it has begun, then another one leads`);
    const beforeEnd = stage.lines.length;
    const endedAt = performance.now();
    await first.shutdown();
    const { replica: second, at } = await nextMaster(beforeEnd);
    await moreOrders();

    stage.say(`freezes ${second.name} until another one leads, then thaws it`);
    const beforeFreeze = stage.lines.length;
    second.pause();
    const last = await nextMaster(beforeFreeze);
    await moreOrders();
    second.resume();
    await stage.hears(
      'the thawed one stops',
      ({ replica, text }) => replica === second && text === 'leads no more',
      beforeFreeze,
    );

    const { orders, total } = await shop.close();
    await stage.until('all orders are booked', async () => (await ledger('orders')) >= orders);
    const receipts = async () => new Set(await redis.lrange('sample-003:receipts', 0, -1)).size;
    await stage.until('all receipts are sent', async () => (await receipts()) === orders);
    const booked = await ledger('orders');
    const bookedTotal = await ledger('total');
    const fence = await redis.get('sample-003:fence');
    return {
      ok: booked === orders && bookedTotal === total && last.text === `leads, term ${fence}`,
      orders,
      booked,
      total,
      bookedTotal,
      receipts: await receipts(),
      handoverMs: Math.round(at - endedAt),
    };
  },
};
