import type { MasterElection } from '@detector-cluster/master-election';
import {
  type DeadLetter,
  type DeliveryStats,
  type DetectionListeners,
  consumerDefaults,
  type Detection,
  type DetectionCallback,
  type DetectionMeta,
  type ImageDetectionResponse,
} from '@detector-cluster/delivery';
import { runCallbacks } from '@detector-cluster/delivery/internal';
import { parseSubscription } from '@detector-cluster/placement/internal';
import { FakeDeadLetters } from './fake-dead-letters.js';

/** A detection as a worker sends it. Missing fields get default values. */
export interface FakeDelivery {
  readonly subscriptionIdentifier: string;
  /** Null: the worker looked and found nothing. */
  readonly detection: Detection | null;
  readonly modelId?: number;
  readonly modelName?: string;
  readonly timestamp?: Date;
  readonly workerUrl?: string;
  /** Pass the id of an earlier delivery to deliver it again. */
  readonly detectionId?: string;
  /** Default: whether `detectionId` was delivered before. */
  readonly redelivered?: boolean;
  /** Default one that does not abort. */
  readonly signal?: AbortSignal;
}

/** The outcome of a delivery. */
export interface DeliveryOutcome {
  readonly detectionId: string;
  /** Callbacks that were called at least once; 0: there are no listeners. */
  readonly called: number;
  /** Errors of the callbacks, in the order of the attempts. */
  readonly errors: readonly Error[];
  /** The dead letters of callbacks that failed at every attempt. */
  readonly deadLetters: readonly DeadLetter[];
}

/** Delivers to the callbacks of this process, and keeps the dead letters and counts. */
export class FakeDeliveries {
  readonly letters = new FakeDeadLetters((letter) => this.redeliver(letter));
  private readonly delivered = new Set<string>();
  private readonly counts = { out: 0, dead: 0, redelivered: 0, unheard: 0 };
  private sequence = 0;

  constructor(
    private readonly callbacks: DetectionListeners,
    private readonly election: MasterElection,
  ) {}

  /** See `FakeDetectorCluster.deliver`. */
  async deliver(delivery: FakeDelivery): Promise<DeliveryOutcome> {
    const { callbacks } = this;
    parseSubscription(delivery.subscriptionIdentifier);
    const detectionId = delivery.detectionId ?? `fake-${++this.sequence}`;
    const known = {
      ...delivery,
      detectionId,
      redelivered: delivery.redelivered ?? this.delivered.has(detectionId),
    };
    this.delivered.add(detectionId);
    const audiences = [
      { audience: 'owner', callbacks: callbacks.hasGlobal ? callbacks.ofAll() : [] },
      { audience: 'listener', callbacks: callbacks.of(delivery.subscriptionIdentifier) },
    ] as const;
    const errors: Error[] = [];
    const deadLetters: DeadLetter[] = [];
    for (const { audience, callbacks: each } of audiences) {
      if (each.length === 0) continue;
      const failed = await this.run(each, known, errors);
      if (failed !== null) deadLetters.push(this.deadLetter(known, audience, failed));
      else this.counts.out++;
    }
    const called = audiences.reduce((sum, { callbacks: each }) => sum + each.length, 0);
    if (called === 0) this.counts.unheard++;
    if (known.redelivered) this.counts.redelivered++;
    return { detectionId, called, errors, deadLetters };
  }

  stats(): DeliveryStats {
    const { out, dead, redelivered, unheard } = this.counts;
    return {
      in: 0,
      out,
      late: 0,
      dropped: 0,
      unheard,
      dead,
      redelivered,
      lagMs: 0,
      backlog: 0,
      partitions: 0,
    };
  }

  private async run(
    callbacks: readonly DetectionCallback[],
    delivery: FakeDelivery & { readonly detectionId: string; readonly redelivered: boolean },
    errors: Error[],
  ): Promise<Error | null> {
    const message = messageOf(delivery);
    let left = callbacks;
    let last: Error | null = null;
    for (let attempt = 0; left.length > 0 && attempt <= consumerDefaults.retryDelays.length; attempt++) {
      const meta: DetectionMeta = {
        detectionId: delivery.detectionId,
        workerUrl: delivery.workerUrl ?? 'ws://fake:8000',
        receivedAt: Date.now(),
        attempt,
        redelivered: delivery.redelivered || attempt > 0,
        signal: delivery.signal ?? new AbortController().signal,
      };
      const failures = await runCallbacks(left, message, meta, consumerDefaults.callbackTimeout);
      errors.push(...failures.map(({ error }) => error));
      last = failures[0]?.error ?? null;
      left = failures.map(({ callback }) => callback);
    }
    return last;
  }

  private deadLetter(
    {
      detectionId,
      workerUrl = 'ws://fake:8000',
      ...delivery
    }: FakeDelivery & { readonly detectionId: string },
    audience: DeadLetter['audience'],
    error: Error,
  ): DeadLetter {
    const letter: DeadLetter = {
      letterId: `${++this.sequence}-0-${audience === 'listener' ? 'l' : '0'}`,
      detectionId,
      workerUrl,
      subscriptionIdentifier: delivery.subscriptionIdentifier,
      receivedAt: Date.now(),
      frame: JSON.stringify({ type: 'imageDetection', ...messageOf(delivery) }),
      audience,
      error: error.stack ?? error.message,
      attempts: consumerDefaults.retryDelays.length + 1,
      failedAt: new Date(),
      processId: this.election.getNodeId(),
    };
    this.letters.add(letter);
    this.counts.dead++;
    return letter;
  }

  private redeliver({ detectionId, frame, workerUrl }: DeadLetter): Promise<DeliveryOutcome> {
    const { subscriptionIdentifier, timestamp, data } = JSON.parse(frame) as {
      subscriptionIdentifier: string;
      timestamp: string;
      data: Pick<FakeDelivery, 'detection'> & { modelId: number; modelName: string };
    };
    return this.deliver({
      subscriptionIdentifier,
      timestamp: new Date(timestamp),
      ...data,
      detectionId,
      workerUrl,
      redelivered: true,
    });
  }
}

/** The first argument of callbacks. */
function messageOf({
  subscriptionIdentifier,
  detection,
  modelId = 1,
  modelName = 'model',
  timestamp = new Date(),
}: FakeDelivery): ImageDetectionResponse {
  return { subscriptionIdentifier, timestamp, data: { detection, modelId, modelName } };
}
