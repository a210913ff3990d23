import type { Rows, WorkerRow } from '@detector-cluster/dashboard-protocol';

export const USAGES = ['cpuUsage', 'memoryUsage', 'gpuUsage', 'gpuMemoryUsage'] as const;

export type Usage = (typeof USAGES)[number];

/** Percent; null: not reported at that time. */
export type Samples = readonly (number | null)[];

const NONE: Samples = [];

/** The last `most` usage samples of each worker. */
export class UsageHistory {
  private byWorker = new Map<string, Record<Usage, Samples>>();

  constructor(private readonly most: number) {}

  /** Takes a sample of each worker, and forgets workers that are gone. */
  record(workers: Rows<WorkerRow>): void {
    const next = new Map<string, Record<Usage, Samples>>();
    for (const [url, worker] of Object.entries(workers)) {
      const before = this.byWorker.get(url);
      const samples = (usage: Usage) => [...(before?.[usage] ?? NONE), worker[usage]].slice(-this.most);
      next.set(url, {
        cpuUsage: samples('cpuUsage'),
        memoryUsage: samples('memoryUsage'),
        gpuUsage: samples('gpuUsage'),
        gpuMemoryUsage: samples('gpuMemoryUsage'),
      });
    }
    this.byWorker = next;
  }

  /** Oldest first. */
  of(url: string, usage: Usage): Samples {
    return this.byWorker.get(url)?.[usage] ?? NONE;
  }
}
