import { hashString, rendezvousRank } from '../planner/load/rendezvous.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

/**
 * Where each camera runs now, before anything is planned: where the record says, unless that worker has reported without
 * it while another reports it; else where a worker reports it. A master that has just taken over so adopts what it finds.
 */
export function rememberedPlacements(
  desired: ReadonlyMap<string, DesiredEntry>,
  tracked: ReadonlyMap<string, TrackedSubscription>,
  workers: readonly WorkerObservation[],
): Map<string, string> {
  const byUrl = new Map(workers.map((worker) => [worker.url, worker]));
  const reporters = reportersOf(workers);
  const votes = new Map<string, Map<string, number>>();
  const vote = (cameraId: string, url: string, weight: number) => {
    const counts = votes.get(cameraId) ?? new Map<string, number>();
    counts.set(url, (counts.get(url) ?? 0) + weight);
    votes.set(cameraId, counts);
  };

  for (const [id, { cameraId }] of desired) {
    const recorded = tracked.get(id)?.workerUrl;
    const at = recorded === undefined || recorded === '' ? undefined : byUrl.get(recorded);
    const running = reporters.get(id) ?? [];
    if (at !== undefined) {
      const orphaned = at.current && !at.reported.has(id) && tracked.get(id)?.sentAt === null;
      // What a flapping worker has lost again goes elsewhere.
      if (orphaned && at.liveness === 'Quarantined') continue;
      if (!orphaned || running.length === 0) {
        vote(cameraId, at.url, 1_000_000);
        continue;
      }
    }
    for (const { url, online } of running) vote(cameraId, url, online ? 2 : 1);
  }

  const placements = new Map<string, string>();
  for (const [cameraId, counts] of votes) {
    let best: [url: string, weight: number] | undefined;
    for (const candidate of counts)
      if (best === undefined || isBetter(cameraId, candidate, best)) best = candidate;
    if (best) placements.set(cameraId, best[0]);
  }
  return placements;
}

/** Of equal ones the rendezvous rank decides, as everywhere: so they do not all go to the same worker. */
function isBetter(cameraId: string, [a, x]: [string, number], [b, y]: [string, number]): boolean {
  if (x !== y) return x > y;
  const unit = hashString(cameraId);
  const [rankA, rankB] = [rendezvousRank(unit, hashString(a)), rendezvousRank(unit, hashString(b))];
  return rankA === rankB ? a < b : rankA > rankB;
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
