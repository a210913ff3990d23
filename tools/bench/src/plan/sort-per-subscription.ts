import type { PlanUnit, PlanWorker } from '@detector-cluster/detector-cluster/planner';

/**
 * The naive solution: for each subscription it scores and sorts all workers, and the first one gets it. It has no limits, reasons
 * or stability, and adds a count of subscriptions to percentages.
 */
export function sortPerSubscription(
  units: readonly PlanUnit[],
  workers: readonly PlanWorker[],
): Map<string, string> {
  const counts = new Map(workers.map(({ url }) => [url, 0]));
  const placements = new Map<string, string>();
  for (const { unitId } of units) {
    const [best] = workers
      .map(({ url, cpu, memory }) => ({
        url,
        score: counts.get(url)! * 0.4 + (cpu ?? 0) * 0.35 + (memory ?? 0) * 0.25,
      }))
      .sort((a, b) => a.score - b.score);
    placements.set(unitId, best!.url);
    counts.set(best!.url, counts.get(best!.url)! + 1);
  }
  return placements;
}
