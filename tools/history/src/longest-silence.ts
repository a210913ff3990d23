import type { Span } from './history-line.js';

export interface Silence extends Span {
  /** Its length without the excused parts. Milliseconds. */
  readonly ms: number;
}

/**
 * The longest time between two neighbouring instants, without excused parts. The ends of `within` count as instants.
 * @param instants in rising order
 * @param excused in any order; they may overlap
 */
export function longestSilence(instants: Iterable<number>, within: Span, excused: readonly Span[]): Silence {
  const spans = union(excused);
  let longest: Silence = { from: within.from, to: within.from, ms: 0 };
  let last = within.from;
  const look = (to: number) => {
    // An excuse never makes a silence longer.
    if (to - last > longest.ms) {
      const ms = to - last - covered(spans, { from: last, to });
      if (ms > longest.ms) longest = { from: last, to, ms };
    }
    last = Math.max(last, to);
  };
  for (const instant of instants) {
    if (instant >= within.to) break;
    look(instant);
  }
  look(within.to);
  return longest;
}

/** Overlapping parts count once. */
export function totalLength(spans: readonly Span[]): number {
  return union(spans).reduce((sum, { from, to }) => sum + to - from, 0);
}

function union(spans: readonly Span[]): Span[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

function covered(spans: readonly Span[], { from, to }: Span): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);
}
