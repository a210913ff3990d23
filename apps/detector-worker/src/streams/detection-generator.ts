import type { ImageDetectionMessage } from '@detector-cluster/worker-protocol';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock.js';
import { type Box, FRAME, pictureId, sceneOf } from './scene.js';
import { ModelCache } from './model-cache.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { DetectionOutbox } from './detection-outbox.js';
import { type CameraStream, StreamRegistry, type Subscription } from './stream-registry.js';
import { SequenceCounters } from './sequence-counters.js';

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
        boxes: within(payload, scene.boxes),
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

/** The parts of boxes that are within the crop. */
function within(crop: Subscription['payload'], boxes: readonly Box[]): Box[] {
  const { cropX1 = 0, cropX2 = FRAME.width, cropY1 = 0, cropY2 = FRAME.height } = crop;
  return boxes
    .map(({ height, width, x, y }) => {
      const [left, top] = [Math.max(x, cropX1), Math.max(y, cropY1)];
      return {
        x: left,
        y: top,
        width: Math.min(x + width, cropX2) - left,
        height: Math.min(y + height, cropY2) - top,
      };
    })
    .filter(({ height, width }) => width > 0 && height > 0);
}

const TICK_MS = 10;

/**
 * Makes the detections of every stream.
 *
 * A detection gets its number when it is passed to the outbox. So a gap in the numbers always means a detection that was lost: the
 * outbox was full, or a master that confirms nothing did not get it.
 */
@Injectable()
export class DetectionGenerator implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly streams: StreamRegistry,
    private readonly sequences: SequenceCounters,
    private readonly outbox: DetectionOutbox,
    private readonly models: ModelCache,
    @Inject(WORKER_OPTIONS)
    private readonly options: Pick<WorkerOptions, 'workerName' | 'detectionsPerSecond'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.options.detectionsPerSecond > 0) this.#timer = setInterval(() => this.tick(), TICK_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  private tick(): void {
    const now = this.clock.now();
    for (const stream of this.streams.streams()) {
      const due = stream.pacer.due(now);
      if (due > 0 && this.streams.isOnline(stream.cameraId)) this.emit(stream, due);
    }
    this.outbox.flush();
  }

  private emit(stream: CameraStream, frames: number): void {
    const at = new Date();
    for (let frame = 0; frame < frames; frame++)
      for (const subscription of stream.subscriptions.values()) {
        if (!this.models.canDetect(subscription.payload)) continue;
        const sequence = this.sequences.next(subscription.identifier);
        const message = buildDetection(this.options.workerName, stream, subscription, sequence, at);
        this.outbox.add(message, sequence);
      }
  }
}
