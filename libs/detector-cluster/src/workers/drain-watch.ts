import type { WorkerObservation } from '../reconcile/observation.js';

/** Notices when a worker that is being drained has nothing left. */
export class DrainWatch {
  private readonly drained = new Set<string>();

  /** @param onDrained called once for each drain */
  constructor(private readonly onDrained: (url: string) => void) {}

  look(workers: readonly Pick<WorkerObservation, 'url' | 'current' | 'drainSince' | 'reported'>[]): void {
    for (const { url, current, drainSince, reported } of workers) {
      if (drainSince === undefined || !current) this.drained.delete(url);
      else if (reported.size === 0 && !this.drained.has(url)) {
        this.drained.add(url);
        this.onDrained(url);
      }
    }
  }
}
