import type { DetectionCallback } from '../model/detection.js';
import type { DetectionAudience } from './detection-audience.js';

/** Undoes the registration that returned it. Idempotent. */
export type RemoveListener = () => void;

/**
 * The callbacks of this process.
 *
 * Global listeners run where the worker's detections are owned, so once in the cluster; listeners of a subscription run
 * in every process that registered one. The same function registered twice runs twice.
 */
export class DetectionListeners {
  private readonly global = new Set<{ readonly callback: DetectionCallback }>();
  private readonly bySubscription = new Map<string, Set<{ readonly callback: DetectionCallback }>>();

  addGlobal(callback: DetectionCallback): RemoveListener {
    const registration = { callback };
    this.global.add(registration);
    return () => void this.global.delete(registration);
  }

  /** Announce the interest afterwards: see `InterestRegistry`. */
  add(subscriptionIdentifier: string, callback: DetectionCallback): RemoveListener {
    const registration = { callback };
    const registrations = this.bySubscription.get(subscriptionIdentifier) ?? new Set();
    registrations.add(registration);
    this.bySubscription.set(subscriptionIdentifier, registrations);
    return () => {
      registrations.delete(registration);
      if (registrations.size === 0 && this.bySubscription.get(subscriptionIdentifier) === registrations)
        this.bySubscription.delete(subscriptionIdentifier);
    };
  }

  /** Removes every listener of one subscription; returns whether there was one. */
  removeAll(subscriptionIdentifier: string): boolean {
    const registrations = this.bySubscription.get(subscriptionIdentifier);
    registrations?.clear();
    return this.bySubscription.delete(subscriptionIdentifier);
  }

  /** Subscriptions that have a listener here. */
  subscriptions(): string[] {
    return [...this.bySubscription.keys()];
  }

  /** The callbacks that one detection is for. */
  select(subscriptionIdentifier: string, audience: DetectionAudience): DetectionCallback[] {
    const callbacks: DetectionCallback[] = [];
    if (audience !== 'listener') for (const { callback } of this.global) callbacks.push(callback);
    if (audience !== 'owner')
      for (const { callback } of this.bySubscription.get(subscriptionIdentifier) ?? [])
        callbacks.push(callback);
    return callbacks;
  }
}
