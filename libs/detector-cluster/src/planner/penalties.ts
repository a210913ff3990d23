import type { PlanPenalty } from './plan.types.js';

type Severity = 'soft' | 'hard';

/** Which workers failed a unit. Hard: the unit must not go there. Soft: another worker is preferred. */
export class Penalties {
  private readonly workersOf = new Map<string, Map<string, Severity>>();

  constructor(penalties: readonly PlanPenalty[]) {
    for (const { unitId, workerUrl, soft = false } of penalties) {
      let workers = this.workersOf.get(unitId);
      if (workers === undefined) this.workersOf.set(unitId, (workers = new Map()));
      if (!soft || !workers.has(workerUrl)) workers.set(workerUrl, soft ? 'soft' : 'hard');
    }
  }

  get none(): boolean {
    return this.workersOf.size === 0;
  }

  severity(unitId: string, workerUrl: string): Severity | null {
    return this.workersOf.size === 0 ? null : (this.workersOf.get(unitId)?.get(workerUrl) ?? null);
  }

  /** Whether the unit must not go to the worker. */
  has(unitId: string, workerUrl: string): boolean {
    return this.severity(unitId, workerUrl) === 'hard';
  }

  /** URLs of the workers that failed the unit. */
  workersThatFailed(unitId: string): Iterable<string> {
    return this.workersOf.get(unitId)?.keys() ?? [];
  }

  /** Whether any worker failed the unit. */
  any(unitId: string): boolean {
    return this.workersOf.size > 0 && this.workersOf.has(unitId);
  }
}
