import type { AcceptanceMonitor } from './acceptance-monitor.js';
import type { DetectionTally } from './detection-tally.js';
import type { LocalCluster } from './local-cluster.js';
import { waitFor } from './wait-for.js';

/**
 * Detections that were accepted so far and reached no callback within `patience` ms, which must be longer than an open retry
 * takes: the id of each and where it was written. A callback counts by what its process says, or, where the process has ended
 * since, by its acknowledgement.
 */
export async function lostDetections(
  cluster: LocalCluster,
  monitor: AcceptanceMonitor,
  tally: DetectionTally,
  patience: number,
): Promise<string[]> {
  const accepted = [...monitor.accepted];
  if (accepted.length === 0) throw new Error('no accepted detection was observed');
  const missing = () => accepted.filter((id) => !tally.deliveries.has(id) && !monitor.acknowledged.has(id));
  await waitFor('accepted detections to be delivered', patience, async () => {
    await tally.poll(cluster.backends);
    return missing().length === 0 ? true : null;
  }).catch(() => undefined);
  return missing().map((id) => `${id} in ${monitor.placeOf(id)}`);
}
