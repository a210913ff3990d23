import { type HistoryPoint, RESOLUTIONS } from '@detector-cluster/dashboard-protocol';
import type { Pulse } from '../pulse/pulse.schema.js';

/** How often the master records the figures. Milliseconds. */
export const SAMPLE = RESOLUTIONS['15m'].step;

/** The figures of all processes since the last sample, from their pulses. */
export class FigureBoard {
  private readonly rates = new Map<string, number[]>();
  private lagMs: number | null = null;

  hear({ process, detections }: Pulse): void {
    const { processId, detectionsPerSecond, lagMs } = process;
    this.rates.set(processId, [...(this.rates.get(processId) ?? []), detectionsPerSecond]);
    // The lag of a process without new detections is the lag of its last detections.
    if (detections.length > 0 && lagMs !== null) this.lagMs = Math.max(this.lagMs ?? lagMs, lagMs, 0);
  }

  /**
   * Sum of the mean rates, and the longest lag. Then the next sample begins. Null: unknown, also unless every process could report for
   * a whole sample.
   * @param listeningFor milliseconds since when pulses can be received; null while they cannot
   */
  take(listeningFor: number | null): Pick<HistoryPoint, 'detectionsPerSecond' | 'lagMs'> {
    const { lagMs } = this;
    const means = Array.from(
      this.rates.values(),
      (all) => all.reduce((sum, one) => sum + one, 0) / all.length,
    );
    this.rates.clear();
    this.lagMs = null;
    if (listeningFor === null || listeningFor < SAMPLE || means.length === 0)
      return { detectionsPerSecond: null, lagMs: null };
    return { detectionsPerSecond: means.reduce((sum, mean) => sum + mean, 0), lagMs };
  }
}
