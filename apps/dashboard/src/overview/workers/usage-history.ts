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

/** The box of the paths. */
export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 24;

/** Half of a line's width, so that it is not cut at the edges. */
const MARGIN = 1;

/**
 * A line through percentages as the `d` of an SVG path, newest at the right edge; `most` samples fill the width. Nulls are
 * gaps; a sample between two of them is a dot. Empty: nothing to draw.
 */
export function sparkPath(samples: readonly (number | null)[], most: number): string {
  const step = SPARK_WIDTH / Math.max(1, most - 1);
  const shown = samples.slice(-most);
  let path = '';
  let pen = 'M';
  shown.forEach((percent, index) => {
    if (percent === null) {
      pen = 'M';
      return;
    }
    const point = `${round(SPARK_WIDTH - (shown.length - 1 - index) * step)} ${round(heightOf(percent))}`;
    // A line of no length is drawn as a dot, because line ends are round.
    const alone = pen === 'M' && (shown[index + 1] ?? null) === null;
    path += alone ? `M${point}L${point}` : `${pen}${point}`;
    pen = 'L';
  });
  return path;
}

function heightOf(percent: number): number {
  const share = Math.min(100, Math.max(0, percent)) / 100;
  return SPARK_HEIGHT - MARGIN - share * (SPARK_HEIGHT - 2 * MARGIN);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
