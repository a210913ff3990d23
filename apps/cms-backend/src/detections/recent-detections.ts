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

/** A detection with its number in the order of arrival. */
export type NumberedDetection = ReceivedDetection & { readonly arrival: number };

export interface DetectionPage {
  readonly items: NumberedDetection[];
  /** The arrival after which reading continues. */
  readonly nextCursor: number;
  /** Whether detections after the given arrival were dropped before they were read. */
  readonly missed: boolean;
}

export interface DetectionStats {
  /** Calls of the callback. */
  readonly delivered: number;
  /** Calls with the id of an earlier one. */
  readonly duplicatesSeen: number;
  /** Calls marked as redelivered. */
  readonly redelivered: number;
  /** Of the newest. */
  readonly lastArrival: number;
}

/** The number of ids among which duplicates are recognised. */
const REMEMBERED_IDS = 100_000;

/**
 * The latest detections in the order of arrival. Their numbers rise by one per detection and begin with the clock's microseconds. So
 * they also rise across a restart, and a poller with a number from before does not wait until the new process reaches it.
 */
export class RecentDetections {
  private readonly ring: NumberedDetection[] = [];
  private readonly firstArrival: number;
  private readonly seen = new Set<string>();
  private delivered = 0;
  private duplicates = 0;
  private redelivered = 0;

  constructor(
    private readonly size: number,
    startedAt: number = Date.now(),
  ) {
    this.firstArrival = startedAt * 1000;
  }

  add(detection: ReceivedDetection): void {
    const arrival = this.firstArrival + this.delivered;
    this.ring[this.delivered % this.size] = { arrival, ...detection };
    this.delivered++;
    if (detection.redelivered) this.redelivered++;
    if (this.seen.has(detection.detectionId)) this.duplicates++;
    else this.remember(detection.detectionId);
  }

  /**
   * Up to `limit` detections after an arrival, oldest first. Null begins with the oldest that is kept.
   * @param matches selects detections; `nextCursor` skips the others
   */
  after(
    arrival: number | null,
    limit: number,
    matches: (detection: ReceivedDetection) => boolean = () => true,
  ): DetectionPage {
    const end = this.firstArrival + this.delivered;
    const oldest = end - Math.min(this.delivered, this.size);
    const wanted = arrival === null ? oldest : arrival + 1;
    const start = Math.min(Math.max(wanted, oldest), end);
    const items: NumberedDetection[] = [];
    let at = start;
    for (; at < end && items.length < limit; at++) {
      const item = this.ring[(at - this.firstArrival) % this.size];
      if (item !== undefined && matches(item)) items.push(item);
    }
    return { items, nextCursor: at - 1, missed: wanted < oldest && this.delivered > this.size };
  }

  stats(): DetectionStats {
    return {
      delivered: this.delivered,
      duplicatesSeen: this.duplicates,
      redelivered: this.redelivered,
      lastArrival: this.firstArrival + this.delivered - 1,
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
