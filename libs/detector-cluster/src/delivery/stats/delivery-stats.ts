import type { ConsumerStats } from '../consumer/consumer-stats.js';
import type { RouterCounters } from '../router/router-counters.js';

/** Delivery as one process sees it. Counts since its start, over all its terms as master. */
export interface DeliveryStats {
  /** Detections that it took from workers as master. */
  readonly in: number;
  /** Detections whose callbacks all succeeded here. */
  readonly out: number;
  /** Of these, those that were done more than a second after the master had them. */
  readonly late: number;
  /**
   * Entries that it lost as master: a backlog or its buffer was full, or they were never accepted when its term ended. With
   * pub/sub also those that nobody heard, and those that its own callbacks failed on or did not keep up with.
   */
  readonly dropped: number;
  /** Detections that it gave up as dead letters. */
  readonly dead: number;
  /** Of `out`, those that may have been handled before. */
  readonly redelivered: number;
  /** Age of the detection that was done last, from its arrival at the master, by the clocks of both. Milliseconds. */
  readonly lagMs: number;
  /** Entries for this process that are not done: its stream, or what it has read where Redis does not answer. */
  readonly backlog: number;
}

/** Both halves of one process; `streamLength` is null where Redis does not answer. */
export function deliveryStats(
  received: ConsumerStats,
  sent: Readonly<RouterCounters>,
  streamLength: number | null,
): DeliveryStats {
  return {
    in: sent.routed,
    out: received.handled,
    late: received.late,
    dropped:
      sent.dropped + sent.rejected + sent.bufferDropped + sent.discarded + sent.unheard + received.dropped,
    dead: received.deadLetters,
    redelivered: received.redelivered,
    lagMs: received.lagMs,
    backlog: streamLength ?? received.inWindow + received.parked,
  };
}
