import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClusterLabel,
  type DashboardMessage,
  type DashboardView,
  diffViews,
  TICK,
} from '@detector-cluster/dashboard-protocol';
import { Logger } from '@nestjs/common';
import type { Page } from '../pages/page.js';
import type { ClusterPicture } from './cluster-picture.js';

/** So long a message waits for a reading; what comes later is in the next one. Milliseconds. */
const TIMEOUT = TICK / 2;

/** The same for the first one: before it there is nothing to show. Milliseconds. */
const FIRST_TIMEOUT = 3_000;

/**
 * Tells pages how the cluster is: each a snapshot first, then all of them the same changes, once a tick, also when there are
 * none. Lives as long as there are pages.
 */
export class LiveFeed {
  private readonly logger = new Logger('dashboard');
  private readonly pages = new Set<Page>();
  private readonly ending = new AbortController();
  private view: DashboardView | null = null;
  private snapshot: Buffer | null = null;
  private looking: Promise<void> | null = null;
  private seq = 0;

  /** @param servedBy node id of this process */
  constructor(
    private readonly picture: ClusterPicture,
    private readonly servedBy: string,
    private readonly cluster: ClusterLabel | null,
  ) {
    void this.run();
  }

  get size(): number {
    return this.pages.size;
  }

  /** The page gets its snapshot at once, or with the first tick. */
  join(page: Page): void {
    this.pages.add(page);
    if (this.view !== null) page.send(this.snapshotOf(this.view));
  }

  leave(page: Page): void {
    this.pages.delete(page);
  }

  end(): void {
    this.ending.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      const next = performance.now() + TICK;
      try {
        await this.look();
        if (!signal.aborted) this.tell();
      } catch (error) {
        this.logger.error('a page could not be told the news', error instanceof Error ? error.stack : error);
      }
      await sleep(Math.max(0, next - performance.now()), null, { signal }).catch(() => undefined);
    }
  }

  /** One reading at a time, however long it takes. */
  private look(): Promise<void> {
    this.looking ??= this.picture.look().finally(() => (this.looking = null));
    return settledWithin(this.looking, this.view === null ? FIRST_TIMEOUT : TIMEOUT);
  }

  private tell(): void {
    const { view: before, picture } = this;
    const view = picture.view();
    const events = picture.events.next();
    const detections = picture.detections.next();
    this.seq++;
    this.view = view;
    this.snapshot = null;
    if (before === null) {
      for (const page of this.pages) page.send(this.snapshotOf(view));
      return;
    }
    const changes = diffViews(before, view);
    const frame = encode({
      event: 'patch',
      data: {
        seq: this.seq,
        at: new Date().toISOString(),
        ...(changes !== null && { changes }),
        ...(events.length > 0 && { events }),
        ...(detections.items.length > 0 && { detections: detections.items }),
        ...(detections.skipped > 0 && { skippedDetections: detections.skipped }),
      },
    });
    for (const page of this.pages) page.send(frame);
  }

  private snapshotOf(view: DashboardView): Buffer {
    this.snapshot ??= encode({
      event: 'snapshot',
      data: {
        seq: this.seq,
        at: new Date().toISOString(),
        servedBy: this.servedBy,
        ...(this.cluster !== null && { cluster: this.cluster }),
        view,
        events: this.picture.events.past,
        detections: this.picture.detections.past,
      },
    });
    return this.snapshot;
  }
}

function encode(message: DashboardMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

/** Resolves when the promise is settled, or after `ms`. */
function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const settled = () => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}
