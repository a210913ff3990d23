import type { PlanUnit, PlanWorker } from '@detector-cluster/detector-cluster';

/**
 * What one would write first: for each subscription all workers are scored and sorted, and the first one gets it. No limits,
 * no reasons, no stability; with a count of subscriptions beside percentages in the sum.
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
