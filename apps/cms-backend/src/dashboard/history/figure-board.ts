import { type Figures, SAMPLE } from './figures.js';

/** A process that has been silent for this long does not count. Milliseconds. */
const SILENCE = 2 * SAMPLE - 2_000;

/** The figures of all processes that are heard. Times are monotonic, in milliseconds. */
export class FigureBoard {
  private readonly heard = new Map<string, { readonly figures: Figures; readonly at: number }>();
  private listeningSince: number | null = null;

  hear(figures: Figures, now: number): void {
    this.heard.set(figures.processId, { figures, at: now });
  }

  /** @param since since when reports can be received; null while they cannot */
  listening(since: number | null): void {
    this.listeningSince = since;
  }

  /** Sum of the rates, and the longest lag. Null: unknown, also until every process has had the time to report. */
  total(now: number): { readonly rate: number | null; readonly lag: number | null } {
    for (const [processId, { at }] of this.heard) if (now - at > SILENCE) this.heard.delete(processId);
    if (this.listeningSince === null || now - this.listeningSince < SAMPLE || this.heard.size === 0)
      return { rate: null, lag: null };
    const all = Array.from(this.heard.values(), (one) => one.figures);
    const lags = all.flatMap(({ lagMs }) => (lagMs === null ? [] : [lagMs]));
    return {
      rate: all.reduce((sum, { detectionsPerSecond }) => sum + detectionsPerSecond, 0),
      lag: lags.length === 0 ? null : Math.max(0, ...lags),
    };
  }
}
