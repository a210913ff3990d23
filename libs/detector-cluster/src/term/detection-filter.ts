import type { ImageDetectionMessage } from '@detector-cluster/worker-protocol';
import type { DetectionRouter } from '@detector-cluster/delivery';
import type { TracerSlot } from '@detector-cluster/delivery/internal';
import type { TrackedSubscription } from '@detector-cluster/placement/internal';
import type { ReconcileFigures } from './reconcile-figures.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

export interface DetectionFilterOptions {
  readonly router: Pick<DetectionRouter, 'route'>;
  readonly tracked: () => ReadonlyMap<string, TrackedSubscription>;
  /** Whether a worker is about to take the subscription over, or has just given it up. */
  readonly isMoving: (subscriptionIdentifier: string, workerUrl: string) => boolean;
  readonly figures: ReconcileFigures;
  readonly tracing: TracerSlot;
  readonly logger: ClusterLogger;
}

/** Forwards detections of workers that hold the subscription, and drops all others. If two workers run a subscription, only one counts. */
export class DetectionFilter {
  /** Workers that sent detections of subscriptions which they do not hold. */
  private readonly unassigned = new Set<string>();
  private dropped = 0;

  constructor(private readonly options: DetectionFilterOptions) {}

  /** @param onSettled if the worker numbers its detections: to be called when it does not need to send this one again */
  take(
    workerUrl: string,
    message: ImageDetectionMessage,
    frame: Buffer,
    detectionId: string,
    onSettled?: () => void,
  ): void {
    const { subscriptionIdentifier } = message;
    if (!this.accepts(workerUrl, subscriptionIdentifier)) {
      this.note(workerUrl, subscriptionIdentifier);
      onSettled?.();
      return;
    }
    const { router, tracing } = this.options;
    const span = tracing.current?.received(workerUrl, detectionId, message);
    const receivedAt = Date.now();
    const trace = span?.context;
    const isNumbered = onSettled !== undefined;
    router.route(
      { detectionId, isNumbered, workerUrl, subscriptionIdentifier, receivedAt, frame, trace },
      onSettled,
    );
    span?.end();
  }

  /** Says how many were dropped without a good reason. */
  close(): void {
    if (this.dropped > 0)
      this.options.logger.warn(`${this.dropped} detections were dropped: their worker did not hold them`);
    this.dropped = 0;
  }

  /** Whether the detection comes from the worker that holds the subscription or, if there is none, from the next one. */
  private accepts(workerUrl: string, subscriptionIdentifier: string): boolean {
    const place = this.options.tracked().get(subscriptionIdentifier);
    return (
      place !== undefined &&
      (place.holder === workerUrl || (place.holder === '' && place.workerUrl === workerUrl))
    );
  }

  private note(workerUrl: string, subscriptionIdentifier: string): void {
    const { figures, logger, isMoving } = this.options;
    figures.unassignedDetections++;
    if (isMoving(subscriptionIdentifier, workerUrl)) return;
    this.dropped++;
    if (this.unassigned.has(workerUrl)) return;
    this.unassigned.add(workerUrl);
    logger.warn(
      `worker ${workerUrl} sent a detection of ${subscriptionIdentifier}, which it does not hold; further ones are only counted`,
    );
  }
}
