import type { ConsumerStats } from './receive/consumer-stats.js';
import type { RouterCounters } from './send/router-counters.js';

/** Delivery as one process sees it. Counts since its start, over all its terms as master. */
export interface DeliveryStats {
  /** Detections that it took from workers as master. */
  readonly in: number;
  /** Detections whose callbacks all succeeded here. */
  readonly out: number;
  /** Of these, those that were done more than a second after the master received them. */
  readonly late: number;
  /** Entries that it lost as master: a log or its buffer was full, or they were never accepted when its term ended. */
  readonly dropped: number;
  /** Detections that it took as master and that no process listens to. */
  readonly unheard: number;
  /** Detections that it gave up as dead letters, and entries of other programs that it made dead letters as master. */
  readonly dead: number;
  /** Of `out`, those that may have been handled before. */
  readonly redelivered: number;
  /** Age of the detection that was done last, from its arrival at the master, by the clocks of both. Milliseconds. */
  readonly lagMs: number;
  /** Unfinished entries of the logs of this process. If Redis does not answer, only those that the process has read. */
  readonly backlog: number;
  /** Number of partitions that it owns. */
  readonly partitions: number;
}

/** Combines both halves of one process. `entries`: unfinished entries of its logs; null if Redis does not answer. */
export function deliveryStats(
  received: ConsumerStats,
  sent: Readonly<RouterCounters>,
  entries: number | null,
): DeliveryStats {
  return {
    in: sent.routed,
    out: received.handled,
    late: received.late,
    dropped: sent.dropped + sent.refused + sent.bufferDropped + sent.discarded,
    unheard: sent.unheard,
    dead: received.deadLetters + sent.foreign,
    redelivered: received.redelivered,
    lagMs: received.lagMs,
    backlog: entries ?? received.inWindow + received.parked,
    partitions: received.partitions.length,
  };
}
