import {
  type ClusterLabel,
  type DashboardMessage,
  type DashboardView,
  diffViews,
  packSubscriptions,
  type Rows,
  type SubscriptionRow,
  TICK,
} from '@detector-cluster/dashboard-protocol';
import { Logger } from '@nestjs/common';
import type { Page } from '../page.js';
import type { ClusterPicture } from './cluster-picture.js';
import { Repeater, settlesWithin } from '@detector-cluster/election/internal';

/** How long a message waits for a reading. A later result is in the next message. Milliseconds. */
const TIMEOUT = TICK / 2;

/** The same for the first message: without it, the page shows nothing. Milliseconds. */
const FIRST_TIMEOUT = 3_000;

/** If there are more subscriptions, they follow the snapshot in a message of their own, so that a page shows the rest sooner. */
const MAX_IN_SNAPSHOT = 2_000;

/**
 * Sends the state of the cluster to pages. Each page gets a snapshot first. Then all pages get the same changes once per tick, even if
 * there are none. It lives as long as there are pages.
 */
export class LiveFeed {
  private readonly logger = new Logger('dashboard');
  private readonly pages = new Set<Page>();
  private readonly ending = new AbortController();
  private readonly ticks = new Repeater({
    signal: this.ending.signal,
    run: () => this.tick(),
    onError: ({ stack }) => this.logger.error('an update could not be sent to a page', stack),
  });
  private view: DashboardView | null = null;
  private snapshot: readonly Buffer[] | null = null;
  private looking: Promise<void> | null = null;
  private seq = 0;

  /** @param servedBy node id of this process */
  constructor(
    private readonly picture: ClusterPicture,
    private readonly servedBy: string,
    private readonly cluster: ClusterLabel | null,
  ) {
    this.ticks.poke();
  }

  get size(): number {
    return this.pages.size;
  }

  /** The page gets its snapshot at once, or with the first tick. */
  join(page: Page): void {
    this.pages.add(page);
    if (this.view !== null) this.sendSnapshot(this.view, [page]);
  }

  leave(page: Page): void {
    this.pages.delete(page);
  }

  end(): void {
    this.ending.abort();
  }

  private async tick(): Promise<void> {
    this.ticks.poke(TICK);
    await this.look();
    if (!this.ending.signal.aborted) this.sendUpdate();
  }

  /** One reading at a time, however long it takes. */
  private async look(): Promise<void> {
    this.looking ??= this.picture.look().finally(() => (this.looking = null));
    await settlesWithin(this.looking, this.view === null ? FIRST_TIMEOUT : TIMEOUT);
  }

  private sendUpdate(): void {
    const { view: before, picture } = this;
    const view = picture.view();
    const events = picture.events.next();
    const detections = picture.detections.next();
    this.seq++;
    this.view = view;
    this.snapshot = null;
    if (before === null) {
      this.sendSnapshot(view, this.pages);
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
    const frames = [frame];
    if (before.subscriptions === null && view.subscriptions !== null)
      frames.push(this.encodeSubscriptions(view.subscriptions));
    send(frames, this.pages);
  }

  private sendSnapshot(view: DashboardView, pages: Iterable<Page>): void {
    this.snapshot ??= this.encodeSnapshot(view);
    send(this.snapshot, pages);
  }

  private encodeSnapshot(view: DashboardView): readonly Buffer[] {
    const { subscriptions } = view;
    const follow = subscriptions !== null && Object.keys(subscriptions).length > MAX_IN_SNAPSHOT;
    const snapshot = encode({
      event: 'snapshot',
      data: {
        seq: this.seq,
        at: new Date().toISOString(),
        servedBy: this.servedBy,
        ...(this.cluster !== null && { cluster: this.cluster }),
        view: follow ? { ...view, subscriptions: null } : view,
        events: this.picture.events.past,
        detections: this.picture.detections.past,
      },
    });
    return follow ? [snapshot, this.encodeSubscriptions(subscriptions)] : [snapshot];
  }

  private encodeSubscriptions(rows: Rows<SubscriptionRow>): Buffer {
    return encode({
      event: 'subscriptions',
      data: { seq: this.seq, at: new Date().toISOString(), subscriptions: packSubscriptions(rows) },
    });
  }
}

function send(frames: readonly Buffer[], pages: Iterable<Page>): void {
  for (const page of pages) for (const frame of frames) page.send(frame);
}

function encode(message: DashboardMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}
