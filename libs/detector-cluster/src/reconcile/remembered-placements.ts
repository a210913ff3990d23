import { hashString, rendezvousRank } from '../planner/load/rendezvous.js';
import { withPauses } from '../util/breather.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

/** A worker that, according to some of the camera's subscriptions, runs the camera. */
interface Candidate {
  readonly url: string;
  weight: number;
}

/** Weight of a worker on record; outweighs any number of reports. */
const RECORDED = 1_000_000;

/** A subscription without a record, or that the worker on record does not run. */
interface Unsure {
  readonly cameraId: string;
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
  const votes = new Map<string, Candidate[]>();
  const vote = (cameraId: string, url: string, weight: number) => {
    const candidates = votes.get(cameraId);
    const known = candidates?.find((candidate) => candidate.url === url);
    if (known !== undefined) known.weight += weight;
    else if (candidates !== undefined) candidates.push({ url, weight });
    else votes.set(cameraId, [{ url, weight }]);
  };

  const unsure = new Map<string, Unsure>();
  yield* withPauses(desired, ([id, { cameraId }]) => {
    const recorded = tracked.get(id)?.workerUrl;
    const at = recorded === undefined || recorded === '' ? undefined : byUrl.get(recorded);
    if (at !== undefined) {
      const orphaned = at.current && !at.reported.has(id) && tracked.get(id)?.sentAt === null;
      if (!orphaned) return vote(cameraId, at.url, RECORDED);
      // Streams that a flapping worker has lost again move to another worker.
      if (at.liveness === 'Quarantined') return;
    }
    unsure.set(id, { cameraId, recorded: at?.url ?? null, reporters: [] });
  });
  if (unsure.size > 0) yield* findReporters(workers, unsure);
  yield* withPauses(unsure.values(), ({ cameraId, recorded, reporters }) => {
    if (recorded !== null && reporters.length === 0) vote(cameraId, recorded, RECORDED);
    for (const { url, online } of reporters) vote(cameraId, url, online ? 2 : 1);
  });

  const placements = new Map<string, string>();
  yield* withPauses(votes, ([cameraId, candidates]) => {
    const best = candidates.reduce((a, b) => (isBetter(cameraId, b, a) ? b : a));
    placements.set(cameraId, best.url);
  });
  return placements;
}

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
