/** What a worker floods with, and how many times as many detections as usual it sends then. */
export const FLOODS = {
  /** Valid detections of its own subscriptions. */
  detections: 20,
  /** Frames of 1 MiB that are no JSON. */
  garbage: 1,
  /** Frames of one byte. */
  tiny: 1,
} as const;

export type Flood = keyof typeof FLOODS;
