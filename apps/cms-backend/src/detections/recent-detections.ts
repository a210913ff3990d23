/** A detection as it reached this process. */
export interface ReceivedDetection {
  readonly detectionId: string;
  readonly subscriptionIdentifier: string;
  readonly workerUrl: string;
  /** When the worker saw it. ISO 8601. */
  readonly timestamp: string;
  /** When it reached this process. ISO 8601. */
  readonly receivedAt: string;
  /** Whether it may have been processed before. */
  readonly redelivered: boolean;
  readonly data: unknown;
}

/** A detection with its place in the order of arrival. */
export type NumberedDetection = ReceivedDetection & { readonly cursor: number };

export interface DetectionPage {
  readonly items: NumberedDetection[];
  /** The cursor after which to read on. */
  readonly nextCursor: number;
  /** Whether detections after the given cursor were dropped before they were read. */
  readonly missed: boolean;
}

export interface DetectionStats {
  /** Calls of the callback. */
  readonly delivered: number;
  /** Calls with the id of an earlier one. */
  readonly duplicatesSeen: number;
  /** Calls marked as redelivered. */
  readonly redelivered: number;
  /** Cursor of the newest. */
  readonly lastCursor: number;
}

/** How many ids duplicates are recognised among. */
const REMEMBERED_IDS = 100_000;

/**
 * The latest detections in the order of arrival. Cursors rise by one per detection; they begin at the clock's
 * microseconds, so that they also rise over a restart and a poller that kept one from before does not wait for the new
 * process to catch up with it.
 */
export class RecentDetections {
  private readonly ring: NumberedDetection[] = [];
  private readonly firstCursor: number;
  private readonly seen = new Set<string>();
  private delivered = 0;
  private duplicates = 0;
  private redelivered = 0;

  constructor(
    private readonly size: number,
    startedAt: number = Date.now(),
  ) {
    this.firstCursor = startedAt * 1000;
  }

  add(detection: ReceivedDetection): void {
    const cursor = this.firstCursor + this.delivered;
    this.ring[this.delivered % this.size] = { cursor, ...detection };
    this.delivered++;
    if (detection.redelivered) this.redelivered++;
    if (this.seen.has(detection.detectionId)) this.duplicates++;
    else this.remember(detection.detectionId);
  }

  /**
   * Up to `limit` detections after the cursor, oldest first; from the oldest that is kept when there is no cursor.
   * @param matches which ones; `nextCursor` passes the others
   */
  after(
    cursor: number | null,
    limit: number,
    matches: (detection: ReceivedDetection) => boolean = () => true,
  ): DetectionPage {
    const end = this.firstCursor + this.delivered;
    const oldest = end - Math.min(this.delivered, this.size);
    const wanted = cursor === null ? oldest : cursor + 1;
    const start = Math.min(Math.max(wanted, oldest), end);
    const items: NumberedDetection[] = [];
    let at = start;
    for (; at < end && items.length < limit; at++) {
      const item = this.ring[(at - this.firstCursor) % this.size];
      if (item !== undefined && matches(item)) items.push(item);
    }
    return { items, nextCursor: at - 1, missed: wanted < oldest && this.delivered > this.size };
  }

  stats(): DetectionStats {
    return {
      delivered: this.delivered,
      duplicatesSeen: this.duplicates,
      redelivered: this.redelivered,
      lastCursor: this.firstCursor + this.delivered - 1,
    };
  }

  private remember(id: string): void {
    this.seen.add(id);
    if (this.seen.size <= REMEMBERED_IDS) return;
    // A Set iterates in the order of insertion, so the first is the oldest.
    for (const oldest of this.seen) {
      this.seen.delete(oldest);
      break;
    }
  }
}
