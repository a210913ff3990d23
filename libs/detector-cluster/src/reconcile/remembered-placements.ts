import { hashString, rendezvousRank } from '../planner/load/rendezvous.js';
import { withPauses } from '../util/breather.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

/** A worker that runs the camera according to some of its subscriptions. */
interface Candidate {
  readonly url: string;
  weight: number;
}

/** Weight of a worker on record, against which no number of reports counts. */
const RECORDED = 1_000_000;

/** A subscription that the worker on record does not run, or that has no record. */
interface Unsure {
  readonly cameraId: string;
  readonly recorded: string | null;
  /** Workers that report it. */
  readonly reporters: { readonly url: string; readonly online: boolean }[];
}

/**
 * Where each camera runs now, before anything is planned: where the record says, unless that worker has reported without
 * it while another reports it; else where a worker reports it. A master that has just taken over so adopts what it finds.
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
      // What a flapping worker has lost again goes elsewhere.
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

/** Of equal ones the rendezvous rank decides, as everywhere: so they do not all go to the same worker. */
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
