import { z } from 'zod';

export const receivedDetectionSchema = z
  .object({
    arrival: z
      .int()
      .meta({ description: 'Its number in the order of arrival; it keeps rising across restarts' }),
    detectionId: z.string().meta({ description: 'The same for every delivery of one detection' }),
    subscriptionIdentifier: z.string(),
    workerUrl: z.string(),
    timestamp: z.string().meta({ description: 'When the worker made the detection' }),
    receivedAt: z.string().meta({ description: 'When it reached this process' }),
    redelivered: z.boolean().meta({ description: 'Whether it may already have been processed' }),
    data: z.looseObject({}).meta({ description: 'What the worker reported' }),
  })
  .meta({ id: 'ReceivedDetection' });

/** A detection as it reached this process. */
export type ReceivedDetection = Readonly<
  Omit<z.infer<typeof receivedDetectionSchema>, 'arrival' | 'data'> & { data: unknown }
>;

/** A detection with its number in the order of arrival. */
export type NumberedDetection = ReceivedDetection & { readonly arrival: number };

/**
 * The latest detections in the order of arrival. Their numbers rise by one per detection and begin with the clock's microseconds. So
 * they also rise across a restart, and a poller with a number from before does not wait until the new process reaches it.
 */
export class RecentDetections {
  private readonly ring: NumberedDetection[] = [];
  private readonly firstArrival: number;
  private delivered = 0;
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
  }

  /**
   * Up to `limit` detections after an arrival, oldest first. Null begins with the oldest that is kept.
   * @param matches selects detections; `nextCursor` skips the others
   * @returns also the arrival after which reading continues, and whether detections after the given one were dropped before
   */
  after(
    arrival: number | null,
    limit: number,
    matches: (detection: ReceivedDetection) => boolean = () => true,
  ) {
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

  stats() {
    return {
      delivered: this.delivered,
      redelivered: this.redelivered,
      lastArrival: this.firstArrival + this.delivered - 1,
    };
  }
}
