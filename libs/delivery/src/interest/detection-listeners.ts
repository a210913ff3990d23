import type { DetectionCallback } from '../log/detection.js';

type Callbacks = readonly DetectionCallback[];

/**
 * The callbacks of this process. Lists are replaced, not changed, so that a detection can be handed the list itself.
 *
 * Global listeners run in the process that owns the partition of a subscription, so once in the cluster. Listeners of a
 * subscription run in every process that added one. A function added twice runs twice, and is removed once at a time. Observers
 * run where global listeners run, but the master delivers nothing because of them. Announce changes with `InterestRegistry`.
 */
export class DetectionListeners {
  private global: Callbacks = [];
  private observers: Callbacks = [];
  private owners: Callbacks = [];
  private readonly bySubscription = new Map<string, Callbacks>();

  addGlobal(callback: DetectionCallback): void {
    this.global = [...this.global, callback];
    this.owners = [...this.global, ...this.observers];
  }

  /** Undoes the last {@link addGlobal} of the function. Does nothing if there is none. */
  removeGlobal(callback: DetectionCallback): void {
    this.global = withoutLast(this.global, callback);
    this.owners = [...this.global, ...this.observers];
  }

  add(subscriptionIdentifier: string, callback: DetectionCallback): void {
    this.bySubscription.set(subscriptionIdentifier, [...this.of(subscriptionIdentifier), callback]);
  }

  /** Undoes the last {@link add} with these arguments. Does nothing if there is none. */
  remove(subscriptionIdentifier: string, callback: DetectionCallback): void {
    const callbacks = withoutLast(this.of(subscriptionIdentifier), callback);
    if (callbacks.length === 0) this.bySubscription.delete(subscriptionIdentifier);
    else this.bySubscription.set(subscriptionIdentifier, callbacks);
  }

  /** Removes every listener of one subscription. */
  removeAll(subscriptionIdentifier: string): void {
    this.bySubscription.delete(subscriptionIdentifier);
  }

  /** Calls back for every detection that this process handles as owner. */
  observe(callback: DetectionCallback): void {
    this.observers = [...this.observers, callback];
    this.owners = [...this.global, ...this.observers];
  }

  /** Whether this process may own partitions. */
  get hasGlobal(): boolean {
    return this.global.length > 0;
  }

  /** Subscriptions that have a listener here. */
  subscriptions(): string[] {
    return [...this.bySubscription.keys()];
  }

  /** The callbacks of an owner. */
  ofAll(): Callbacks {
    return this.owners;
  }

  /** The callbacks of one subscription. */
  of(subscriptionIdentifier: string): Callbacks {
    return this.bySubscription.get(subscriptionIdentifier) ?? [];
  }
}

function withoutLast(callbacks: Callbacks, callback: DetectionCallback): Callbacks {
  const index = callbacks.lastIndexOf(callback);
  return index < 0 ? callbacks : callbacks.toSpliced(index, 1);
}
