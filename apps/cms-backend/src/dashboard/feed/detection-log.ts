import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import type { Pulse } from '../pulse/pulse.schema.js';

/** Maximum number of detections in one message, and of those that are kept for a page that opens later. */
export const MAX_DETECTIONS = 50;

interface NewDetections {
  /** Oldest first. */
  readonly items: readonly DetectionItem[];
  /** How many more there were. */
  readonly skipped: number;
}

/** The newest detections of all processes. */
export class DetectionLog {
  private newest: readonly DetectionItem[] = [];
  private fresh: DetectionItem[] = [];
  private skipped = 0;

  add({ detections, skippedDetections }: Pulse): void {
    this.fresh.push(...detections);
    this.skipped += skippedDetections;
  }

  /** The items that have arrived since the last call. */
  next(): NewDetections {
    const sorted = this.fresh.sort((a, b) => Date.parse(a.receivedAt) - Date.parse(b.receivedAt));
    const items = sorted.slice(-MAX_DETECTIONS);
    const skipped = this.skipped + sorted.length - items.length;
    this.newest = [...this.newest, ...items].slice(-MAX_DETECTIONS);
    this.fresh = [];
    this.skipped = 0;
    return { items, skipped };
  }

  /** The newest items that {@link next} has returned, oldest first. */
  get past(): readonly DetectionItem[] {
    return this.newest;
  }
}
