import type { Rows, WorkerRow } from '@detector-cluster/dashboard-protocol';

export const USAGES = ['cpuUsage', 'memoryUsage', 'gpuUsage', 'gpuMemoryUsage'] as const;

export type Usage = (typeof USAGES)[number];

/** Percent; null: not reported at that time. */
export type Samples = readonly (number | null)[];

const NONE: Samples = [];

/** The last `most` usage samples of each worker. */
export class UsageHistory {
  private readonly byWorker = new Map<string, Record<Usage, (number | null)[]>>();

  constructor(private readonly most: number) {}

  /** Takes a sample of each worker, and forgets workers that are gone. */
  record(workers: Rows<WorkerRow>): void {
    for (const url of this.byWorker.keys()) if (!Object.hasOwn(workers, url)) this.byWorker.delete(url);
    for (const [url, worker] of Object.entries(workers)) {
      let lines = this.byWorker.get(url);
      if (lines === undefined) {
        lines = { cpuUsage: [], memoryUsage: [], gpuUsage: [], gpuMemoryUsage: [] };
        this.byWorker.set(url, lines);
      }
      for (const usage of USAGES) {
        const line = lines[usage];
        line.push(worker[usage]);
        // A thousand workers have 4,000 lines. Copies of them each second would keep the garbage collector busy.
        if (line.length > this.most) line.shift();
      }
    }
  }

  /** Oldest first. The next {@link record} changes the array. */
  of(url: string, usage: Usage): Samples {
    return this.byWorker.get(url)?.[usage] ?? NONE;
  }
}
