import type { ProcessRow, Rows } from '@detector-cluster/dashboard-protocol';

/** Series over common times; null: unknown at that time. */
export interface RateSeries {
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  /** By `nodeId`, each as long as `times`. */
  readonly rates: ReadonlyMap<string, readonly (number | null)[]>;
}

/** Detections per second of each process: the last `most` samples. */
export class RateHistory {
  private times: number[] = [];
  private rates = new Map<string, (number | null)[]>();

  /** @param gap after this many milliseconds without a sample, the values in between are unknown */
  constructor(
    private readonly most: number,
    private readonly gap: number,
  ) {}

  /** @param at milliseconds since 1970; a sample that is not later than the last one is ignored */
  record(at: number, processes: Rows<ProcessRow>): void {
    const last = this.times.at(-1);
    const time = at / 1_000;
    if (Number.isNaN(time) || (last !== undefined && time <= last)) return;
    if (last !== undefined && at - last * 1_000 > this.gap) this.add(last + 0.001, {});
    this.add(time, processes);
  }

  series(): RateSeries {
    return { times: this.times, rates: this.rates };
  }

  private add(time: number, processes: Rows<ProcessRow>): void {
    const times = [...this.times, time].slice(-this.most);
    const rates = new Map<string, (number | null)[]>();
    for (const nodeId of new Set([...this.rates.keys(), ...Object.keys(processes)])) {
      const before = this.rates.get(nodeId) ?? this.times.map(() => null);
      const row = Object.hasOwn(processes, nodeId) ? processes[nodeId] : undefined;
      const after = [...before, row?.detectionsPerSecond ?? null].slice(-this.most);
      // No sample of this process is left.
      if (after.some((rate) => rate !== null)) rates.set(nodeId, after);
    }
    this.times = times;
    this.rates = rates;
  }
}
