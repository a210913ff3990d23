import type { WorkerObservation } from '@detector-cluster/placement/internal';

/** Detects that a draining worker has nothing left. */
export class DrainWatch {
  private drained: ReadonlySet<string> = new Set();

  /** @param onDrained called once for each drain */
  constructor(private readonly onDrained: (url: string) => void) {}

  /** @param workers all of them */
  look(workers: readonly Pick<WorkerObservation, 'url' | 'current' | 'drainSince' | 'reported'>[]): void {
    const before = this.drained;
    const draining = workers.filter(({ current, drainSince }) => current && drainSince !== undefined);
    const drained = draining.filter(({ reported, url }) => reported.size === 0 || before.has(url));
    this.drained = new Set(drained.map(({ url }) => url));
    for (const url of this.drained) if (!before.has(url)) this.onDrained(url);
  }
}
