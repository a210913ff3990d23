import type { AcceptanceMonitor } from './acceptance-monitor.js';
import type { DetectionTally } from './detection-tally.js';
import type { LocalCluster } from './local-cluster.js';
import { waitFor } from './wait-for.js';

/**
 * Detections that Redis has accepted but that reached no callback within `timeout` ms: their ids, streams and entries.
 * `timeout` must be longer than a pending retry takes. A callback counts if its process reports it or, if the process has
 * ended, by its acknowledgement.
 */
export async function lostDetections(
  cluster: LocalCluster,
  monitor: AcceptanceMonitor,
  tally: DetectionTally,
  timeout: number,
): Promise<string[]> {
  const accepted = [...monitor.accepted];
  if (accepted.length === 0) throw new Error('no accepted detection was observed');
  const missing = () => accepted.filter(([id]) => !tally.deliveries.has(id) && !monitor.finished.has(id));
  await waitFor('accepted detections to be delivered', timeout, async () => {
    await tally.poll(cluster.backends);
    return missing().length === 0 ? true : null;
  }).catch(() => undefined);
  monitor.check();
  return missing().map(([id, { stream, entry }]) => `${id} in ${stream} ${entry}`);
}
