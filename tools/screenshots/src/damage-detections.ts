import type { LocalCluster } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';

const SUBSCRIPTIONS = ['display-001;cam-001', 'display-002;cam-002', 'display-003;cam-003'];

/**
 * Puts detections without their data into the log, as a defect could leave them there. The owners of their partitions
 * cannot read them and make dead letters of them. No worker may send detections any more.
 */
export async function damageDetections(cluster: LocalCluster): Promise<void> {
  const redis = new Redis(cluster.redis.url);
  const workerUrl = cluster.workerUrl(cluster.workers[0]!);
  for (const [partition, subscriptionIdentifier] of SUBSCRIPTIONS.entries()) {
    const receivedAt = Date.now();
    const timestamp = new Date(receivedAt).toISOString();
    const data = { type: 'imageDetection', subscriptionIdentifier, timestamp, data: null };
    const message = JSON.stringify({
      detectionId: `${receivedAt}-${partition}`,
      workerUrl,
      receivedAt,
      data,
    });
    await redis.xadd(`${cluster.keyPrefix}worker:detections:{${partition}}`, '*', 'message', message);
  }
  redis.disconnect();
}
