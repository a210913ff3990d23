import { randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { SubscribePayload } from '@detector-cluster/worker-protocol';
import type { Clock } from '../clock.js';
import type { FaultPlan } from '../faults/fault-plan.js';
import { Pacer } from './pacer.js';
import { CameraLink, isCameraAddress } from './camera-link.js';
import type { ModelCache } from './model-cache.js';

/** Display and camera of `<displayId>;<cameraId>`; without a `;` the whole name is both. */
export function splitIdentifier(subscriptionIdentifier: string): { displayId: string; cameraId: string } {
  const at = subscriptionIdentifier.indexOf(';');
  return at === -1
    ? { displayId: subscriptionIdentifier, cameraId: subscriptionIdentifier }
    : { displayId: subscriptionIdentifier.slice(0, at), cameraId: subscriptionIdentifier.slice(at + 1) };
}

/** One connection to one camera, shared by all subscriptions of that camera. */
export interface CameraStream {
  readonly cameraId: string;
  /** New with every start: distinguishes frames of different starts. */
  readonly streamId: string;
  readonly rtspUrl: string;
  /** ISO 8601. */
  readonly since: string;
  readonly pacer: Pacer;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
}

/** One subscription as the master asked for it. */
export interface Subscription {
  readonly identifier: string;
  readonly displayId: string;
  readonly cameraId: string;
  readonly payload: SubscribePayload;
}

type MutableStream = CameraStream & {
  readonly subscriptions: Map<string, Subscription>;
  /** Undefined: the camera is imagined. */
  readonly link: CameraLink | undefined;
};

/** Subscriptions and the camera streams they share: a stream lives as long as it has a subscription. */
export class StreamRegistry implements OnApplicationShutdown {
  readonly #streams = new Map<string, MutableStream>();
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(
    private readonly clock: Clock,
    private readonly faults: FaultPlan,
    private readonly detectionsPerSecond: number,
    private readonly models: Pick<ModelCache, 'need'>,
    private readonly openCameras: 'on' | 'off',
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Takes a subscription; one with the same identifier is replaced. A new address of a camera restarts its stream for
   * all its subscriptions. Returns false, and does not hold it, if no camera can have its address or a fault refuses it.
   */
  subscribe(payload: SubscribePayload): boolean {
    const identifier = payload.subscriptionIdentifier;
    const { displayId, cameraId } = splitIdentifier(identifier);
    if (!isCameraAddress(payload.rtspUrl)) this.unsubscribe(identifier);
    if (!isCameraAddress(payload.rtspUrl) || this.faults.refuses(identifier, cameraId)) return false;
    const subscription = { identifier, displayId, cameraId, payload };
    this.models.need(payload);
    this.#subscriptions.set(identifier, subscription);
    this.streamFor(cameraId, payload.rtspUrl).subscriptions.set(identifier, subscription);
    return true;
  }

  /** Returns false when there was no such subscription. */
  unsubscribe(identifier: string): boolean {
    const subscription = this.#subscriptions.get(identifier);
    if (subscription === undefined) return false;
    this.#subscriptions.delete(identifier);
    const stream = this.#streams.get(subscription.cameraId);
    stream?.subscriptions.delete(identifier);
    if (stream?.subscriptions.size === 0) {
      stream.link?.close();
      this.#streams.delete(subscription.cameraId);
    }
    return true;
  }

  /** Ends what is not among these, and takes the others as {@link subscribe} does. */
  replaceAll(payloads: readonly SubscribePayload[]): void {
    const wanted = new Set(payloads.map(({ subscriptionIdentifier }) => subscriptionIdentifier));
    for (const identifier of this.#subscriptions.keys())
      if (!wanted.has(identifier)) this.unsubscribe(identifier);
    for (const payload of payloads) this.subscribe(payload);
  }

  /** Ends everything. */
  clear(): void {
    for (const { link } of this.#streams.values()) link?.close();
    this.#streams.clear();
    this.#subscriptions.clear();
  }

  onApplicationShutdown(): void {
    this.clear();
  }

  find(identifier: string): Subscription | undefined {
    return this.#subscriptions.get(identifier);
  }

  subscriptions(): Iterable<Subscription> {
    return this.#subscriptions.values();
  }

  streams(): Iterable<CameraStream> {
    return this.#streams.values();
  }

  /** Id of a camera's stream; undefined: it has none. */
  streamIdOf(cameraId: string): string | undefined {
    return this.#streams.get(cameraId)?.streamId;
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  isOnline(cameraId: string): boolean {
    const stream = this.#streams.get(cameraId);
    return stream !== undefined && (stream.link?.online ?? true) && !this.faults.isOffline(cameraId);
  }

  private streamFor(cameraId: string, rtspUrl: string): MutableStream {
    const existing = this.#streams.get(cameraId);
    if (existing?.rtspUrl === rtspUrl) {
      existing.link?.nudge();
      return existing;
    }
    existing?.link?.close();
    const started: MutableStream = {
      cameraId,
      streamId: randomUUID(),
      rtspUrl,
      since: new Date().toISOString(),
      pacer: this.pacer(),
      link: this.openCameras === 'on' ? new CameraLink(rtspUrl) : undefined,
      subscriptions: new Map(existing?.subscriptions),
    };
    this.#streams.set(cameraId, started);
    return started;
  }

  // The first detection comes at a random moment of the first period, so that streams do not tick in step.
  private pacer(): Pacer {
    const period = this.detectionsPerSecond > 0 ? Math.min(1000 / this.detectionsPerSecond, 1000) : 0;
    return new Pacer(this.detectionsPerSecond, this.clock.now() + this.random() * period);
  }
}
