import { z } from 'zod';
import type { Clock } from '../clock.js';

const milliseconds = z.int().nonnegative().nullable().default(null);
const names = z.array(z.string().min(1)).default([]);

/** A complete set of faults: what is left out is not in force. */
export const faultsSchema = z.strictObject({
  /** Subscription or camera ids that are silently never taken. */
  refuse: names,
  /** Camera ids whose streams deliver no frames and are reported `online: false`. */
  offline: names,
  /** From so many ms after this fault was set, nothing is sent on any socket; they stay open. */
  silentAfterMs: milliseconds,
  /** Every socket is closed so many ms after it was opened, or after the fault was set if that was later. */
  closeAfterMs: milliseconds,
});

export type Faults = z.output<typeof faultsSchema>;

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
