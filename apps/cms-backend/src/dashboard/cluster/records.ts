import type { SkippedRow, SubscriptionRow, WorkerRow } from '@detector-cluster/dashboard-protocol';
import { z } from 'zod';

/** What a record in Redis says of a worker; the rest of its row comes from elsewhere. */
export type WorkerRecord = Omit<WorkerRow, 'capacity' | 'models'>;

const percent = z
  .number()
  .nullable()
  .transform((value) => (value === null ? null : Math.round(value)));

const worker = z.object({
  online: z.boolean(),
  state: z.enum(['Connecting', 'Ready', 'Suspect', 'Offline', 'Quarantined']),
  standing: z.enum(['open', 'cordoned', 'draining']),
  // A master of an earlier version does not write it.
  drainTotal: z.int().nullable().default(null),
  cpuUsage: percent,
  memoryUsage: percent,
  gpuUsage: percent,
  gpuMemoryUsage: percent,
  subscriptionCount: z.int(),
  connectedAt: z.string().transform((at) => (at === '' ? null : at)),
});

const subscription = z.object({
  assignedWorkerUrl: z.string(),
  status: z.enum(['active', 'pending', 'failed', 'recovering']),
  reason: z.string(),
  since: z.string(),
});

const skipped = z.object({ reason: z.string(), detail: z.string() });

const desired = z.object({ modelName: z.string() });

/** A field of `worker:connections`; null, here and below, for what cannot be read. */
export function toWorker(url: string, text: string): WorkerRecord | null {
  const record = read(worker, text);
  return record && { url, ...record };
}

/** A field of `worker:actual_subscriptions`. */
export function toSubscription(subscriptionIdentifier: string, text: string): SubscriptionRow | null {
  const record = read(subscription, text);
  if (record === null) return null;
  const { assignedWorkerUrl: workerUrl, status, reason, since } = record;
  return { subscriptionIdentifier, workerUrl, status, reason, since };
}

/** A field of `worker:skipped_displays`. */
export function toSkipped(displayId: string, text: string): SkippedRow | null {
  const record = read(skipped, text);
  return record && { displayId, ...record };
}

/** The model's name in a field of `worker:desired_subscriptions`. */
export function toModelName(_subscriptionIdentifier: string, text: string): string | null {
  return read(desired, text)?.modelName ?? null;
}

function read<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
