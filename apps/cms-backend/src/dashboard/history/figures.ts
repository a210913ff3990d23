import { z } from 'zod';

/** How often a process reports its figures, and the master records them. Milliseconds. */
export const SAMPLE = 5_000;

const figures = z.object({
  /** Rises with each incompatible change. */
  version: z.literal(2),
  processId: z.string().min(1).max(512),
  /** Detections that reached its callbacks. */
  detectionsPerSecond: z.number().nonnegative(),
  /** Longest since the last report. Milliseconds; null: no detections. */
  lagMs: z.number().nullable(),
});

/** The figures that each process sends to the master. */
export type Figures = z.infer<typeof figures>;

/** Null for a text that contains no figures. Never throws. */
export function readFigures(text: string): Figures | null {
  try {
    return figures.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
