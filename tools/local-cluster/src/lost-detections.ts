import type { AcceptanceMonitor } from './acceptance-monitor.js';
import type { DetectionTally } from './detection-tally.js';
import type { LocalCluster } from './local-cluster.js';
import { waitFor } from './wait-for.js';

/**
 * Detections that Redis has accepted so far and that reached no callback within `patience` ms, which must be longer than an
 * open retry takes: the id of each, and its stream and entry. A callback counts by what its process says. If the process has
 * ended since, it counts by its acknowledgement.
 */
export async function lostDetections(
  cluster: LocalCluster,
  monitor: AcceptanceMonitor,
  tally: DetectionTally,
  patience: number,
): Promise<string[]> {
  const accepted = [...monitor.accepted];
  if (accepted.length === 0) throw new Error('no accepted detection was observed');
  const missing = () => accepted.filter(([id]) => !tally.deliveries.has(id) && !monitor.finished.has(id));
  await waitFor('accepted detections to be delivered', patience, async () => {
    await tally.poll(cluster.backends);
    return missing().length === 0 ? true : null;
  }).catch(() => undefined);
  monitor.check();
  return missing().map(([id, { stream, entry }]) => `${id} in ${stream} ${entry}`);
}
