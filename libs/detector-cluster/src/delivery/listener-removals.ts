import type { DetectionCallback } from '../model/detection.js';
import type { RemoveListener } from './detection-listeners.js';

/** How to undo registrations by what was registered: a function added twice is removed once at a time. */
export class ListenerRemovals {
  private readonly byKey = new Map<string, Map<DetectionCallback, RemoveListener[]>>();

  remember(key: string, callback: DetectionCallback, remove: RemoveListener): void {
    const callbacks = this.byKey.get(key) ?? new Map<DetectionCallback, RemoveListener[]>();
    callbacks.set(callback, [...(callbacks.get(callback) ?? []), remove]);
    this.byKey.set(key, callbacks);
  }

  /** Undoes the last registration of the function under the key; nothing when there is none. */
  undo(key: string, callback: DetectionCallback): void {
    const callbacks = this.byKey.get(key);
    const removals = callbacks?.get(callback);
    removals?.pop()?.();
    if (removals?.length === 0) callbacks?.delete(callback);
    if (callbacks?.size === 0) this.byKey.delete(key);
  }

  /** Forgets what was registered under the key without undoing it. */
  forget(key: string): void {
    this.byKey.delete(key);
  }
}
