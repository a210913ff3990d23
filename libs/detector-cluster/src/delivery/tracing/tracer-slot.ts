import type { DetectionTracer } from './detection-tracer.js';

/** Where the parts of one process find its tracer. Empty, tracing costs one comparison per step. */
export class TracerSlot {
  current: DetectionTracer | null = null;
}
