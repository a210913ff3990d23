import type { PlanInput, PlanWorker, PlannerState } from '../planner/plan.types.js';
import { unitsOfSteps } from '../planner/units-of.js';
import type { DesiredEntry, Penalty, TrackedSubscription, WorkerObservation } from './observation.js';
import { planPenalties } from './penalties.js';
import { rememberedPlacements } from './remembered-placements.js';
import type { StreamMove } from './moves/stream-move.js';

export interface PlanFacts {
  readonly wallNow: number;
  readonly desired: ReadonlyMap<string, DesiredEntry>;
  readonly workers: readonly WorkerObservation[];
  readonly tracked: ReadonlyMap<string, TrackedSubscription>;
  readonly moves: ReadonlyMap<string, StreamMove>;
  readonly penalties: ReadonlyMap<string, Penalty>;
  readonly plannerState: PlannerState | null;
  /** A new master still waits for first reports: it places only units that a known worker runs, and moves none. */
  readonly settling: boolean;
  readonly frozen: boolean;
  /** Level the load now. */
  readonly rebalance: boolean;
}

/** Builds the input of the planner. */
export function* planInputOf(facts: PlanFacts): Generator<void, PlanInput> {
  const { desired, workers, tracked, moves, settling, wallNow } = facts;
  const placements = yield* rememberedPlacements(desired, tracked, workers);
  for (const { unitId, from } of moves.values()) placements.set(unitId, from);
  yield;
  const units = yield* unitsOfSteps(settling ? placedOf(desired, placements) : desired.values());
  const planWorkers: PlanWorker[] = [];
  for (const worker of workers) {
    yield;
    planWorkers.push(toPlanWorker(worker));
  }
  return {
    units,
    workers: planWorkers,
    placements,
    penalties: planPenalties(facts.penalties, wallNow),
    moves: [...moves.values()].map(({ unitId, from, to }) => ({ unitId, from, to })),
    frozen: facts.frozen || settling,
    rebalance: { now: wallNow, state: facts.plannerState, requested: facts.rebalance },
  };
}

function* placedOf(
  desired: ReadonlyMap<string, DesiredEntry>,
  placements: ReadonlyMap<string, string>,
): Generator<DesiredEntry, void> {
  for (const entry of desired.values()) if (placements.has(entry.cameraId)) yield entry;
}

function toPlanWorker(worker: WorkerObservation): PlanWorker {
  const { url, liveness, capacity, labels, cordoned, drainSince, cpu, memory, gpu, gpuMemory } = worker;
  return {
    url,
    state: liveness,
    capacity,
    cpu,
    memory,
    gpu,
    gpuMemory,
    models: loadedModels(worker),
    ...(cordoned && { cordoned }),
    ...(drainSince !== undefined && { drainSince }),
    ...(labels && { labels }),
  };
}

function loadedModels({ reported }: WorkerObservation): number[] {
  const models = new Set<number>();
  for (const { modelId } of reported.values()) if (modelId !== null) models.add(modelId);
  return [...models];
}
