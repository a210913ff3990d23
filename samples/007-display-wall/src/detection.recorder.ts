import {
  OnDetection,
  parseSubscription,
  type DetectionMeta,
  type ImageDetectionResponse,
} from '@detector-cluster/detector-cluster';
import { Injectable } from '@nestjs/common';
import { WallStore } from './wall.store.js';

/** Writes each detection to the log of its display. */
@Injectable()
export class DetectionRecorder {
  constructor(private readonly store: WallStore) {}

  /**
   * Runs in one replica for each detection, not necessarily the one that holds the display. If the write fails or the replica dies
   * before the end, the cluster calls it again with the same id, so the log may contain a detection twice.
   */
  @OnDetection()
  async record(
    { subscriptionIdentifier, timestamp, data: { detection } }: ImageDetectionResponse,
    { detectionId }: DetectionMeta,
  ): Promise<void> {
    if (detection === null) return;
    const { displayId, cameraId } = parseSubscription(subscriptionIdentifier);
    const { carBrand, carModel, licensePlateText } = detection;
    await this.store.append(displayId, {
      detectionId,
      camera: cameraId,
      plate: licensePlateText ?? '',
      car: [carBrand, carModel].filter(Boolean).join(' '),
      at: timestamp.toISOString(),
    });
  }
}
