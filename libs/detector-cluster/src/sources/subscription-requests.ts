import {
  InvalidInputError,
  parseSubscription,
  assertIdentifier,
  type DesiredCameraSubscription,
} from '@detector-cluster/placement/internal';
import type { NetworkPolicy } from '../shared/network-policy.js';
import { httpUrlProblem, readStream, type Problem } from './stream-fields.js';
import type { Redis } from 'ioredis';
import type { DetectionListeners, InterestRegistry, DetectionCallback } from '@detector-cluster/delivery';
import { retryWhileUnavailable } from '../shared/retry-while-unavailable.js';
import type { SubscriptionTrigger } from './subscription-trigger.js';
import type { ExplicitSubscriptionStore } from './explicit-subscription-store.js';

/** The arguments of `subscribeToCamera` that describe the stream. For optional ones null means absent. */
export interface SubscribeInput {
  /** `<displayId>;<cameraId>` */
  subscriptionIdentifier: string;
  /** rtsp, rtsps, http or https. */
  rtspUrl: string;
  /** http or https. */
  modelUrl: string;
  modelId: number;
  modelName: string;
  snapshotUrl?: string | null;
  /** Milliseconds. */
  snapshotInterval?: number | null;
  /** Of the file at `modelUrl`, 1 to 128 printable characters. If it changes, workers download the file again. */
  modelVersion?: string | null;
  cropX1?: number | null;
  cropY1?: number | null;
  cropX2?: number | null;
  cropY2?: number | null;
}

function check(field: keyof SubscribeInput, problem: Problem): void {
  if (problem !== null) throw new InvalidInputError(field, problem);
}

/**
 * Builds the requested subscription; `now` becomes its creation time. Throws `InvalidInputError` with the name of the first
 * unusable field.
 */
export function explicitSubscription(
  input: SubscribeInput,
  now: Date,
  networks: NetworkPolicy,
): DesiredCameraSubscription {
  parseSubscription(input.subscriptionIdentifier);
  check('modelUrl', httpUrlProblem(input.modelUrl));
  const reading = readStream({ ...input });
  if ('problem' in reading) throw new InvalidInputError(reading.field, reading.problem);
  const { stream } = reading;
  check('rtspUrl', networks.problemOf(stream.rtspUrl));
  if (stream.snapshotUrl !== undefined) check('snapshotUrl', networks.problemOf(stream.snapshotUrl));
  return {
    subscriptionIdentifier: input.subscriptionIdentifier,
    createdAt: now.toISOString(),
    ...stream,
  };
}

/** The input of `subscribe`: the arguments of `subscribeToCamera` by name. */
export interface CameraSubscription extends SubscribeInput {
  /** Called in this process with the subscription's detections. Default none: then global listeners get them. */
  readonly callback?: DetectionCallback;
}

export interface SubscriptionRequestsDependencies {
  readonly redis: Redis;
  readonly networks: NetworkPolicy;
  readonly callbacks: DetectionListeners;
  readonly interests: Pick<InterestRegistry, 'announce'>;
  readonly stores: {
    readonly explicit: Pick<ExplicitSubscriptionStore, 'putAll' | 'remove' | 'removeByCamera'>;
  };
}

/** Subscriptions that the application requests in addition to those of the database. */
export class SubscriptionRequests {
  constructor(
    private readonly dependencies: SubscriptionRequestsDependencies,
    private readonly trigger: Pick<SubscriptionTrigger, 'triggerSubscriptionUpdate'>,
  ) {}

  /** Subscribes all, or none if one of them is invalid or cannot be stored. */
  async request(requests: readonly CameraSubscription[]): Promise<void> {
    if (requests.length === 0) return;
    const { callbacks, interests, networks, redis, stores } = this.dependencies;
    const now = new Date();
    const subscriptions = requests.map((request) => explicitSubscription(request, now, networks));
    for (const { callback } of requests) if (callback !== undefined) assertCallback(callback);
    const change = (how: 'add' | 'remove') => {
      for (const { subscriptionIdentifier, callback } of requests)
        if (callback !== undefined) callbacks[how](subscriptionIdentifier, callback);
    };
    change('add');
    try {
      // The listener comes first, so that the master already routes detections here when they begin.
      if (requests.some(({ callback }) => callback !== undefined)) await interests.announce();
      await retryWhileUnavailable(redis, () => stores.explicit.putAll(subscriptions));
    } catch (error) {
      change('remove');
      throw error;
    }
    const [first] = subscriptions;
    const what = subscriptions.length === 1 ? first!.subscriptionIdentifier : `${subscriptions.length}`;
    this.trigger.triggerSubscriptionUpdate('subscription.requested', what);
  }

  async withdraw(subscriptionIdentifier: string): Promise<void> {
    parseSubscription(subscriptionIdentifier);
    const { callbacks, interests, redis, stores } = this.dependencies;
    callbacks.removeAll(subscriptionIdentifier);
    await retryWhileUnavailable(redis, () => stores.explicit.remove(subscriptionIdentifier));
    await interests.announce();
    this.trigger.triggerSubscriptionUpdate('subscription.withdrawn', subscriptionIdentifier);
  }

  async withdrawCamera(cameraIdentifier: string): Promise<void> {
    assertIdentifier('cameraIdentifier', cameraIdentifier);
    const { callbacks, interests, redis, stores } = this.dependencies;
    for (const identifier of callbacks.subscriptions())
      if (parseSubscription(identifier).cameraId === cameraIdentifier) callbacks.removeAll(identifier);
    await retryWhileUnavailable(redis, () => stores.explicit.removeByCamera(cameraIdentifier));
    await interests.announce();
    this.trigger.triggerSubscriptionUpdate('camera.withdrawn', cameraIdentifier);
  }
}

export function assertCallback(callback: unknown): void {
  if (typeof callback !== 'function') throw new InvalidInputError('callback', 'must be a function');
}
