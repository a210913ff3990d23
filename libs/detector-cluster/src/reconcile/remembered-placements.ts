import { hashString, rendezvousRank } from '../planner/load/rendezvous.js';
import { withPauses } from '../util/breather.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

/** A worker of which some subscriptions of a camera say that it is there. */
interface Candidate {
  readonly url: string;
  weight: number;
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
  let reporters: ReturnType<typeof reportersOf> | undefined;
  const reportersFor = (id: string) => (reporters ??= reportersOf(workers)).get(id) ?? [];
  const votes = new Map<string, Candidate[]>();
  const vote = (cameraId: string, url: string, weight: number) => {
    const candidates = votes.get(cameraId);
    const known = candidates?.find((candidate) => candidate.url === url);
    if (known !== undefined) known.weight += weight;
    else if (candidates !== undefined) candidates.push({ url, weight });
    else votes.set(cameraId, [{ url, weight }]);
  };

  yield* withPauses(desired, ([id, { cameraId }]) => {
    const recorded = tracked.get(id)?.workerUrl;
    const at = recorded === undefined || recorded === '' ? undefined : byUrl.get(recorded);
    if (at !== undefined) {
      const orphaned = at.current && !at.reported.has(id) && tracked.get(id)?.sentAt === null;
      // What a flapping worker has lost again goes elsewhere.
      if (orphaned && at.liveness === 'Quarantined') return;
      if (!orphaned || reportersFor(id).length === 0) {
        vote(cameraId, at.url, 1_000_000);
        return;
      }
    }
    for (const { url, online } of reportersFor(id)) vote(cameraId, url, online ? 2 : 1);
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

function reportersOf(workers: readonly WorkerObservation[]): Map<string, { url: string; online: boolean }[]> {
  const reporters = new Map<string, { url: string; online: boolean }[]>();
  for (const worker of workers) {
    if (!worker.current) continue;
    for (const [id, { online }] of worker.reported) {
      const list = reporters.get(id);
      if (list) list.push({ url: worker.url, online });
      else reporters.set(id, [{ url: worker.url, online }]);
    }
  }
  return reporters;
}
