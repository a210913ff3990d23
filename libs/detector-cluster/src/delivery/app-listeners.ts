import type { DetectionCallback } from '../model/detection.js';
import type { DetectionListeners, RemoveListener } from './detection-listeners.js';

/** No subscription identifier is empty. */
const GLOBAL = '';

/**
 * The callbacks of the application, which are removed by what they were added with: a function added twice is removed once at a
 * time.
 */
export class AppListeners {
  private readonly removals = new Map<string, Map<DetectionCallback, RemoveListener[]>>();

  constructor(private readonly listeners: DetectionListeners) {}

  add(subscriptionIdentifier: string, callback: DetectionCallback): void {
    this.remember(subscriptionIdentifier, callback, this.listeners.add(subscriptionIdentifier, callback));
  }

  addGlobal(callback: DetectionCallback): void {
    this.remember(GLOBAL, callback, this.listeners.addGlobal(callback));
  }

  /** Undoes the last {@link add} with these arguments; nothing when there is none. */
  remove(subscriptionIdentifier: string, callback: DetectionCallback): void {
    const callbacks = this.removals.get(subscriptionIdentifier);
    const removals = callbacks?.get(callback);
    removals?.pop()?.();
    if (removals?.length === 0) callbacks?.delete(callback);
    if (callbacks?.size === 0) this.removals.delete(subscriptionIdentifier);
  }

  /** Undoes the last {@link addGlobal} of the function; nothing when there is none. */
  removeGlobal(callback: DetectionCallback): void {
    this.remove(GLOBAL, callback);
  }

  /** Removes all of a subscription. */
  removeAll(subscriptionIdentifier: string): void {
    this.listeners.removeAll(subscriptionIdentifier);
    this.removals.delete(subscriptionIdentifier);
  }

  private remember(key: string, callback: DetectionCallback, remove: RemoveListener): void {
    const callbacks = this.removals.get(key) ?? new Map<DetectionCallback, RemoveListener[]>();
    callbacks.set(callback, [...(callbacks.get(callback) ?? []), remove]);
    this.removals.set(key, callbacks);
  }
}
