import { z } from 'zod';

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
