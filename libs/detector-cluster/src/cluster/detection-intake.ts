import type { ImageDetectionMessage } from '@detector-cluster/worker-protocol';
import type { DetectionRouter } from '../delivery/router/detection-router.js';
import type { TracerSlot } from '../delivery/tracing/tracer-slot.js';
import type { TrackedSubscription } from '../reconcile/observation.js';
import type { ReconcileFigures } from '../state/reconcile-figures.js';
import type { ClusterLogger } from './cluster-logger.js';

export interface DetectionIntakeOptions {
  readonly router: Pick<DetectionRouter, 'route'>;
  readonly tracked: () => ReadonlyMap<string, TrackedSubscription>;
  /** Whether a worker is about to take the subscription over, or has just given it up. */
  readonly isMoving: (subscriptionIdentifier: string, worker: string) => boolean;
  readonly figures: ReconcileFigures;
  readonly tracing: TracerSlot;
  readonly logger: ClusterLogger;
}

/** Takes the detections of workers that hold their subscription, and drops the others: of two that run it one counts. */
export class DetectionIntake {
  /** Workers that sent detections of subscriptions which they do not hold. */
  private readonly foreign = new Set<string>();
  private dropped = 0;

  constructor(private readonly options: DetectionIntakeOptions) {}

  take(worker: string, message: ImageDetectionMessage, frame: Buffer, detectionId: string): void {
    const { subscriptionIdentifier } = message;
    if (!this.accepts(worker, subscriptionIdentifier)) {
      this.note(worker, subscriptionIdentifier);
      return;
    }
    const { router, tracing } = this.options;
    const span = tracing.current?.received(worker, detectionId, message);
    const timestamp = new Date().toISOString();
    const trace = span?.context;
    router.route({ workerUrl: worker, subscriptionIdentifier, frame, timestamp, detectionId, trace });
    span?.end();
  }

  /** Says how many were dropped without a good reason. */
  close(): void {
    if (this.dropped > 0)
      this.options.logger.warn(`${this.dropped} detections were dropped: their worker did not hold them`);
    this.dropped = 0;
  }

  /** From the worker that holds the subscription, or, while none does, from the one that is about to. */
  private accepts(worker: string, subscriptionIdentifier: string): boolean {
    const place = this.options.tracked().get(subscriptionIdentifier);
    return (
      place !== undefined && (place.holder === worker || (place.holder === '' && place.workerUrl === worker))
    );
  }

  private note(worker: string, subscriptionIdentifier: string): void {
    const { figures, logger, isMoving } = this.options;
    figures.foreignDetection();
    if (isMoving(subscriptionIdentifier, worker)) return;
    this.dropped++;
    if (this.foreign.has(worker)) return;
    this.foreign.add(worker);
    logger.warn(
      `worker ${worker} sent a detection of ${subscriptionIdentifier}, which it does not hold; further ones are counted only`,
    );
  }
}
