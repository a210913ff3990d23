import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { redisUrl } from './config.js';
import { OWED } from './order.store.js';

/** Sends receipts, which takes longer than booking. */
@Injectable()
export class ReceiptService implements OnApplicationShutdown {
  private readonly redis = new Redis(redisUrl);

  async send(orderId: string): Promise<void> {
    // Simulates the time that a mail server takes.
    await sleep(300);
    await this.redis.multi().rpush('sample-003:receipts', orderId).srem(OWED, orderId).exec();
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
