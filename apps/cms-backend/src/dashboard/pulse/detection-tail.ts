import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { detectionFacts, summaryOf } from '../../detections/detection-facts.js';
import type { NumberedDetection, RecentDetections } from '../../detections/recent-detections.js';

export interface TailPart {
  /** The newest, oldest first. */
  readonly items: readonly DetectionItem[];
  /** How many more came. */
  readonly skipped: number;
  /** Mean age of the items at their arrival, by the clocks of worker and process; null if there are none. Milliseconds. */
  readonly lagMs: number | null;
}

/** Reads the detections that reach the callbacks of this process, in parts. Each part ends with the newest detection. */
export class DetectionTail {
  private cursor: number;

  constructor(
    private readonly recent: RecentDetections,
    private readonly processId: string,
  ) {
    this.cursor = recent.stats().lastArrival;
  }

  /** The detections since the last call, at most `limit`. */
  next(limit: number): TailPart {
    const { lastArrival } = this.recent.stats();
    const { items } = this.recent.after(Math.max(this.cursor, lastArrival - limit), limit);
    const skipped = lastArrival - this.cursor - items.length;
    this.cursor = lastArrival;
    return { items: items.map((item) => this.toItem(item)), skipped, lagMs: meanAge(items) };
  }

  /** The newest detections that {@link next} has returned, at most `limit`. */
  past(limit: number): readonly DetectionItem[] {
    const { items } = this.recent.after(this.cursor - limit, limit);
    return items.filter(({ arrival }) => arrival <= this.cursor).map((item) => this.toItem(item));
  }

  private toItem({ arrival: _arrival, timestamp, data, ...detection }: NumberedDetection): DetectionItem {
    return {
      ...detection,
      processId: this.processId,
      detectedAt: timestamp.slice(0, 64),
      ...detectionFacts(data),
      summary: summaryOf(data),
    };
  }
}

function meanAge(items: readonly NumberedDetection[]): number | null {
  if (items.length === 0) return null;
  const ages = items.map(({ timestamp, receivedAt }) => Date.parse(receivedAt) - Date.parse(timestamp));
  return Math.round(ages.reduce((sum, age) => sum + age, 0) / ages.length);
}
