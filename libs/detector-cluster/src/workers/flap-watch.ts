import { doubling } from '@detector-cluster/election/internal';
import { z } from 'zod';

/** A worker with this many losses within this time is flapping. Milliseconds. */
const LOSSES = 3;
const WINDOW = 300_000;
/** For how long it then gets nothing new: longer each time, forgotten after a quiet half hour. Milliseconds. */
const BASE = 60_000;
const CAP = 600_000;
const MEMORY = 1_800_000;
/** At most this share of the workers is quarantined. If all workers flap, the fault is elsewhere. */
const MAX_SHARE = 1 / 3;

const historySchema = z.object({
  losses: z.array(z.number()).max(LOSSES),
  until: z.number(),
  times: z.number(),
  reason: z.literal('flooding').exactOptional(),
});

type History = z.infer<typeof historySchema>;

export const flapMemorySchema = z.record(z.string(), historySchema);

/** The memory of a predecessor whose clock may have been ahead. */
export function boundedFlaps(
  memory: z.infer<typeof flapMemorySchema>,
  now: number,
): z.infer<typeof flapMemorySchema> {
  const bounded = (history: History): History => ({
    ...history,
    losses: history.losses.map((at) => Math.min(at, now)),
    until: Math.min(history.until, now + CAP),
  });
  return Object.fromEntries(Object.entries(memory).map(([url, history]) => [url, bounded(history)]));
}

/** Why a worker gets nothing new. */
export type QuarantineReason = 'flapping' | 'flooding';

/**
 * Decides which workers get nothing new for a while: those that come and go so often that each loss would cost their streams a move, and
 * those that send more than the master reads.
 * Times are wall clock, milliseconds, because the memory outlives the master. Compare the ejection of outliers in Envoy.
 */
export class FlapWatch {
  private readonly histories = new Map<string, History>();

  /** A worker was lost. @param workers how many there are, including it */
  lost(url: string, now: number, workers: number): void {
    const { times, ...before } = this.historyOf(url, now);
    const losses = [...before.losses.filter((at) => now - at < WINDOW), now].slice(-LOSSES);
    const flaps =
      losses.length >= LOSSES && (this.isQuarantined(url, now) || this.mayQuarantine(now, workers));
    this.histories.set(
      url,
      flaps
        ? { losses, until: now + doubling(BASE, times, CAP), times: times + 1 }
        : { ...before, losses, times },
    );
  }

  /**
   * A worker keeps sending more than its budget.
   * @param workers how many there are, including it
   * @param flooding counts how many of them do so now; if that is too large a share, the fault is elsewhere
   */
  floods(url: string, now: number, workers: number, flooding: () => number): void {
    // It is called for each detection beyond the budget.
    if (this.isQuarantined(url, now)) return;
    if (flooding() > workers * MAX_SHARE || !this.mayQuarantine(now, workers)) return;
    const { losses, times } = this.historyOf(url, now);
    this.histories.set(url, {
      losses,
      until: now + doubling(BASE, times, CAP),
      times: times + 1,
      reason: 'flooding',
    });
  }

  /** Why it is quarantined, or was last. */
  reasonOf(url: string): QuarantineReason {
    return this.histories.get(url)?.reason ?? 'flapping';
  }

  isQuarantined(url: string, now: number): boolean {
    return now < this.until(url);
  }

  /** When it may get something again; 0 when it may. */
  until(url: string): number {
    return this.histories.get(url)?.until ?? 0;
  }

  /** The memory from which a successor continues; without what has expired. */
  memory(now: number): Record<string, History> {
    const live = [...this.histories].filter(
      ([, { losses, until }]) => now - until < MEMORY || losses.some((at) => now - at < WINDOW),
    );
    return Object.fromEntries(live);
  }

  /** Continues from the memory of a predecessor. */
  restore(memory: Readonly<Record<string, History>>): void {
    for (const [url, history] of Object.entries(memory)) this.histories.set(url, history);
  }

  /** Only these workers are remembered. */
  keep(urls: Iterable<string>): void {
    const kept = new Set(urls);
    for (const url of this.histories.keys()) if (!kept.has(url)) this.histories.delete(url);
  }

  private historyOf(url: string, now: number): History {
    const history = this.histories.get(url) ?? { losses: [], until: 0, times: 0 };
    return now - history.until > MEMORY ? { ...history, times: 0 } : history;
  }

  private mayQuarantine(now: number, workers: number): boolean {
    const already = [...this.histories.values()].filter(({ until }) => now < until).length;
    return already + 1 <= workers * MAX_SHARE;
  }
}
