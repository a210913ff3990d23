import type { PlanPenalty } from '../plan.types.js';

/** Which workers a unit must not go to. */
export class Penalties {
  private readonly workersOf = new Map<string, Set<string>>();

  constructor(penalties: readonly PlanPenalty[]) {
    for (const { unitId, workerUrl } of penalties) {
      const workers = this.workersOf.get(unitId);
      if (workers) workers.add(workerUrl);
      else this.workersOf.set(unitId, new Set([workerUrl]));
    }
  }

  has(unitId: string, workerUrl: string): boolean {
    return this.workersOf.size > 0 && (this.workersOf.get(unitId)?.has(workerUrl) ?? false);
  }

  any(unitId: string): boolean {
    return this.workersOf.size > 0 && this.workersOf.has(unitId);
  }
}
