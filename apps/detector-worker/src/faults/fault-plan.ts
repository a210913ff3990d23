import type { Clock } from '../clock/clock.js';
import type { Faults } from './faults.schema.js';

/** The faults in force, as questions the rest of the worker asks. */
export class FaultPlan {
  #faults: Faults;
  #setAt: number;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    faults: Faults,
  ) {
    this.#faults = faults;
    this.#setAt = clock.now();
  }

  get current(): Faults {
    return this.#faults;
  }

  /** Replaces the whole plan; its times count from now. */
  replace(faults: Faults): void {
    this.#faults = faults;
    this.#setAt = this.clock.now();
    for (const listener of this.#listeners) listener();
  }

  onReplaced(listener: () => void): void {
    this.#listeners.add(listener);
  }

  refuses(subscriptionIdentifier: string, cameraId: string): boolean {
    return this.#faults.refuse.some((name) => name === subscriptionIdentifier || name === cameraId);
  }

  isOffline(cameraId: string): boolean {
    return this.#faults.offline.includes(cameraId);
  }

  isSilent(): boolean {
    const { silentAfterMs } = this.#faults;
    return silentAfterMs !== null && this.clock.now() >= this.#setAt + silentAfterMs;
  }
}
