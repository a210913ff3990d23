import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RecentDetections } from '../detections/recent-detections.js';
import { StoredDetections } from '../detections/stored/stored-detections.js';

/**
 * Keeps every detection that reaches this process, for `/api/detections`, in the database, too, where that is on. It is the callback of the service itself: because of it
 * the process may own partitions. Pages of the dashboard read what it keeps, so that a page that opens or closes changes no owner.
 */
@Injectable()
export class DetectionRecorder implements OnModuleInit {
  constructor(
    private readonly cluster: DetectorCluster,
    private readonly recent: RecentDetections,
    private readonly stored: StoredDetections,
  ) {}

  onModuleInit(): void {
    this.cluster.addGlobalDetectionListener((detection, { detectionId, workerUrl, redelivered }) => {
      const received = {
        detectionId,
        subscriptionIdentifier: detection.subscriptionIdentifier,
        workerUrl,
        timestamp: detection.timestamp.toISOString(),
        receivedAt: new Date().toISOString(),
        redelivered,
        data: detection.data,
      };
      this.recent.add(received);
      this.stored.add(received);
    });
  }
}
