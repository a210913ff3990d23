import type { PlanInput, PlanWorker } from '../planner/plan.types.js';
import { unitsOfSteps } from '../planner/units-of.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';
import { planPenalties } from './penalties.js';
import type { ReconcileInput } from './reconcile.js';
import { hashString, rendezvousRank } from '../planner/rendezvous.js';
import { inChunks } from '../model/in-chunks.js';

/** While a new master still waits for first reports, it places only units that a known worker runs, and moves none. */
export type PlanFacts = Omit<ReconcileInput, 'now' | 'unsubscribing' | 'mayUnsubscribe'>;

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
    planWorkers.push(toPlanWorker(worker, loadedModels(worker)));
  }
  return {
    units,
    workers: planWorkers,
    placements,
    penalties: planPenalties(facts.penalties, wallNow),
    moves: [...moves.values()].map(({ unitId, from, to }) => ({ unitId, from, to })),
    frozen: facts.frozen || settling,
    rebalance: {
      now: wallNow,
      state: facts.plannerState,
      requested: facts.rebalance,
      opensAt: facts.opensAt,
    },
  };
}

function* placedOf(
  desired: ReadonlyMap<string, DesiredEntry>,
  placements: ReadonlyMap<string, string>,
): Generator<DesiredEntry, void> {
  for (const entry of desired.values()) if (placements.has(entry.cameraId)) yield entry;
}

/** @param models the models that it has loaded; they matter for units that have to be placed */
export function toPlanWorker(worker: WorkerObservation, models: readonly number[] = []): PlanWorker {
  return { ...worker, state: worker.liveness, models };
}

/** What the worker says, otherwise the models that it runs. */
function loadedModels({ loadedModels: loaded, reported }: WorkerObservation): readonly number[] {
  if (loaded !== undefined) return loaded;
  const models = new Set<number>();
  for (const { modelId, modelState } of reported.values())
    if (modelId !== null && modelState === undefined) models.add(modelId);
  return [...models];
}

/** A worker that, according to some of the camera's subscriptions, runs the camera. */
interface Candidate {
  readonly url: string;
  weight: number;
}

/** Weight of a worker on record; outweighs any number of reports. */
const RECORDED = 1_000_000;

/** A subscription without a record, or that the worker on record does not run. */
interface Unsure {
  readonly recorded: string | null;
  /** Workers that report it. */
  readonly reporters: { readonly url: string; readonly online: boolean }[];
}

/**
 * Where each camera runs before planning: on the worker on record, unless that worker reports without it while another
 * reports it; without a record, on a worker that reports it. This way a new master adopts the streams that it finds.
 */
export function* rememberedPlacements(
  desired: ReadonlyMap<string, DesiredEntry>,
  tracked: ReadonlyMap<string, TrackedSubscription>,
  workers: readonly WorkerObservation[],
): Generator<void, Map<string, string>> {
  const byUrl = new Map(workers.map((worker) => [worker.url, worker]));
  const placements = new Map<string, string>();
  const unsure = new Map<string, Unsure>();
  /** Cameras with an unsure subscription, or with subscriptions on several workers. */
  const open = new Map<string, true>();
  yield* inChunks(desired, ([id, { cameraId }]) => {
    const record = recordOf(tracked.get(id), id, byUrl);
    if (record.kind === 'none') return;
    if (record.kind === 'unsure') {
      unsure.set(id, { recorded: record.url, reporters: [] });
      open.set(cameraId, true);
      return;
    }
    const other = placements.get(cameraId);
    if (other === undefined) placements.set(cameraId, record.url);
    else if (other !== record.url) open.set(cameraId, true);
  });
  if (open.size === 0) return placements;

  // In a large cluster that runs undisturbed, this is the rare case.
  if (unsure.size > 0) yield* findReporters(workers, unsure);
  const votes = new Map<string, Candidate[]>();
  const vote = (cameraId: string, url: string, weight: number) => {
    const candidates = votes.get(cameraId) ?? [];
    votes.set(cameraId, candidates);
    const known = candidates.find((candidate) => candidate.url === url);
    if (known === undefined) candidates.push({ url, weight });
    else known.weight += weight;
  };
  yield* inChunks(desired, ([id, { cameraId }]) => {
    if (!open.has(cameraId)) return;
    const doubt = unsure.get(id);
    if (doubt === undefined) {
      const record = recordOf(tracked.get(id), id, byUrl);
      if (record.kind === 'sure') vote(cameraId, record.url, RECORDED);
      return;
    }
    const { recorded, reporters } = doubt;
    if (recorded !== null && reporters.length === 0) vote(cameraId, recorded, RECORDED);
    for (const { url, online } of reporters) vote(cameraId, url, online ? 2 : 1);
  });
  yield* inChunks(votes, ([cameraId, candidates]) => {
    const best = candidates.reduce((a, b) => (isBetter(cameraId, b, a) ? b : a));
    placements.set(cameraId, best.url);
  });
  return placements;
}

type Recorded =
  | { readonly kind: 'sure'; readonly url: string }
  /** There is no record, or the worker on record (`url`) does not run the subscription. */
  | { readonly kind: 'unsure'; readonly url: string | null }
  | { readonly kind: 'none' };

function recordOf(
  memory: TrackedSubscription | undefined,
  id: string,
  byUrl: ReadonlyMap<string, WorkerObservation>,
): Recorded {
  const worker = memory === undefined ? undefined : byUrl.get(memory.workerUrl);
  if (worker === undefined) return NO_RECORD;
  const orphaned = worker.current && !worker.reported.has(id) && memory?.sentAt === null;
  if (!orphaned) return { kind: 'sure', url: worker.url };
  // Streams that a flapping worker has lost again move to another worker.
  return worker.liveness === 'Quarantined' ? NONE : { kind: 'unsure', url: worker.url };
}

const NO_RECORD: Recorded = { kind: 'unsure', url: null };
const NONE: Recorded = { kind: 'none' };

/** The rendezvous rank breaks ties, so that not all cameras go to the same worker. */
function isBetter(cameraId: string, a: Candidate, b: Candidate): boolean {
  if (a.weight !== b.weight) return a.weight > b.weight;
  const unit = hashString(cameraId);
  const [rankA, rankB] = [rendezvousRank(unit, hashString(a.url)), rendezvousRank(unit, hashString(b.url))];
  return rankA === rankB ? a.url < b.url : rankA > rankB;
}

function* findReporters(
  workers: readonly WorkerObservation[],
  unsure: ReadonlyMap<string, Unsure>,
): Generator<void, void> {
  for (const { current, reported, url } of workers) {
    if (!current) continue;
    yield;
    for (const [id, { online }] of reported) unsure.get(id)?.reporters.push({ url, online });
  }
}
