import type { ImageDetectionMessage } from '@detector-cluster/worker-protocol';
import { pictureId } from '../images/picture-id.js';
import { FRAME, sceneOf } from '../images/scene.js';
import type { CameraStream } from '../streams/camera-stream.js';
import type { Subscription } from '../streams/subscription.js';

const cars = [
  { carBrand: 'Toyota', carModel: 'Corolla', bodyType: 'Sedan' },
  { carBrand: 'Honda', carModel: 'CR-V', bodyType: 'SUV' },
  { carBrand: 'Ford', carModel: 'Transit', bodyType: 'Van' },
  { carBrand: 'Isuzu', carModel: 'D-Max', bodyType: 'Pickup' },
] as const;

/** One plausible detection; the same sequence number always shows the same car. */
export function buildDetection(
  workerName: string,
  stream: CameraStream,
  { identifier, payload }: Subscription,
  sequence: number,
  at: Date,
): ImageDetectionMessage {
  const scene = sceneOf(stream.cameraId, sequence);
  return {
    type: 'imageDetection',
    subscriptionIdentifier: identifier,
    timestamp: at.toISOString(),
    data: {
      detection: {
        ...cars[sequence % cars.length],
        carYear: 2005 + (sequence % 20),
        licensePlateText: scene.plate,
        licensePlateConfidence: 0.8 + (sequence % 20) / 100,
        boxes: scene.boxes,
        frameWidth: FRAME.width,
        frameHeight: FRAME.height,
        pictureId: pictureId(stream.streamId, sequence),
        sequence,
        workerName,
        streamId: stream.streamId,
      },
      modelId: payload.modelId,
      modelName: payload.modelName,
    },
  };
}
