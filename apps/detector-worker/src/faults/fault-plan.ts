import { z } from 'zod';

const names = z.array(z.string().min(1)).default([]);

/** A complete set of faults: what is left out is not in force. */
export const faultsSchema = z.strictObject({
  /** Subscription or camera ids that are silently never taken. */
  refuse: names,
  /** Camera ids whose streams deliver no frames and are reported `online: false`. */
  offline: names,
});

export type Faults = z.output<typeof faultsSchema>;

/** The faults in force, as questions the rest of the worker asks. */
export class FaultPlan {
  constructor(public current: Faults) {}

  refuses(subscriptionIdentifier: string, cameraId: string): boolean {
    return this.current.refuse.some((name) => name === subscriptionIdentifier || name === cameraId);
  }

  isOffline(cameraId: string): boolean {
    return this.current.offline.includes(cameraId);
  }
}
