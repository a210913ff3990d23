import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '@detector-cluster/election';
import { OnMasterAcquired } from '@detector-cluster/master-election';
import { Injectable } from '@nestjs/common';
import { OrderStore } from './order.store.js';
import { ReceiptService } from './receipt.service.js';

const POLL_INTERVAL = 50;
const RETRY_PAUSE = 1_000;

/** Books orders one after the other. Therefore only the master does it. */
@Injectable()
export class OrderConsumer {
  constructor(
    private readonly orders: OrderStore,
    private readonly receipts: ReceiptService,
  ) {}

  @OnMasterAcquired()
  async consume(lease: Lease): Promise<void> {
    console.log(`leads, term ${lease.term}`);
    let failed = true;
    while (!lease.signal.aborted) {
      try {
        // The first time for the previous master. After a failure because the order may be booked nevertheless.
        if (failed) await this.sendOwed(lease);
        failed = false;
        await this.bookAll(lease);
      } catch (error) {
        if (!lease.signal.aborted) console.warn(`tries again: ${(error as Error).message}`);
        failed = true;
      }
      // An abort ends the loop.
      await sleep(failed ? RETRY_PAUSE : POLL_INTERVAL, undefined, { signal: lease.signal }).catch(
        () => undefined,
      );
    }
    console.log('leads no more');
  }

  private async sendOwed(lease: Lease): Promise<void> {
    for (const orderId of await this.orders.owed(lease.term)) lease.waitUntil(this.receipts.send(orderId));
  }

  private async bookAll(lease: Lease): Promise<void> {
    // Reads again in each pass: a write whose reply was lost may have been applied.
    for (const order of await this.orders.unbooked(lease.term)) {
      // Immediately before the write: waits while the lease is suspended, rejects if it is lost.
      await lease.ready();
      await this.orders.book(order, lease.term);
      // The loop does not wait for the receipt, but the hand-over does.
      lease.waitUntil(this.receipts.send(order.id));
    }
  }
}
