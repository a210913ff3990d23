import { inChunks } from '../model/in-chunks.js';
import type { PlanPenalty } from './plan.types.js';

type Severity = 'soft' | 'hard';

/** Which workers failed a unit. Hard: the unit must not go there. Soft: another worker is preferred. */
export class Penalties {
  private readonly workersOf = new Map<string, Map<string, Severity>>();

  private constructor() {}

  /** Yields where it may be interrupted. */
  static *of(penalties: readonly PlanPenalty[]): Generator<void, Penalties> {
    const all = new Penalties();
    yield* inChunks(penalties, (penalty) => all.add(penalty));
    return all;
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

  private add({ unitId, workerUrl, soft = false }: PlanPenalty): void {
    const workers = this.workersOf.get(unitId) ?? new Map<string, Severity>();
    this.workersOf.set(unitId, workers);
    if (!soft || !workers.has(workerUrl)) workers.set(workerUrl, soft ? 'soft' : 'hard');
  }
}
