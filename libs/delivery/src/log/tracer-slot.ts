import type { DetectionTracer } from './detection-tracer.js';

/** Holds the tracer for all parts of one process. Without a tracer, each step costs one comparison. */
export class TracerSlot {
  current: DetectionTracer | null = null;
}
