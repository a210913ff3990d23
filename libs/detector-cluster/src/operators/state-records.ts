import { z } from 'zod';
import type { SkippedDisplay, ActualCameraSubscription } from '@detector-cluster/placement/internal';
import type { WorkerConnectionState } from '../shared/cluster-state.js';
import { parsedJson, readJson } from '../shared/read-json.js';

/** A field of `worker:connections`. */
export type WorkerRecord = Omit<WorkerConnectionState, 'subscriptions'>;

const percent = z.number().nullable();

const worker = z.object({
  name: z.string().optional(),
  processId: z.string(),
  online: z.boolean(),
  cpuUsage: percent,
  memoryUsage: percent,
  gpuUsage: percent,
  gpuMemoryUsage: percent,
  subscriptionCount: z.int(),
  lastHeartbeat: z.string(),
  connectedAt: z.string(),
  state: z.enum(['Connecting', 'Ready', 'Suspect', 'Offline', 'Quarantined']),
  problem: z.string().nullable(),
  excess: z.object({ pauses: z.int(), dropped: z.int(), oversized: z.int() }).nullable(),
  standing: z.enum(['open', 'cordoned', 'draining']),
  drainTotal: z.int().nullable(),
} satisfies Record<keyof Omit<WorkerRecord, 'url'>, z.ZodType>);

/** A master of another version may leave fields out. */
const anyWorker = worker.partial().extend({ url: z.string() });

const streams = z.array(z.string());

const TEXTS = [
  'assignedWorkerUrl',
  'modelUrl',
  'reason',
  'detail',
  'since',
  'assignedAt',
  'lastSeen',
  'specHash',
  'holder',
] as const;

const STATUSES: ReadonlySet<unknown> = new Set(['active', 'pending', 'failed', 'recovering']);

// The records of the master, as other processes read them. Null: another program has written the field.

export const toWorker = (text: string): WorkerRecord | null =>
  readJson(anyWorker, text) as WorkerRecord | null;

/** A field of `worker:streams`. */
export const toStreams = (text: string): readonly string[] | null => readJson(streams, text);

/** A field of `worker:actual_subscriptions`. It is not checked by a schema, because there are up to a million. */
export function toActual(text: string): ActualCameraSubscription | null {
  const value = parsedJson(text) as Partial<Record<string, unknown>> | null | undefined;
  const isRecord =
    typeof value?.subscriptionIdentifier === 'string' &&
    STATUSES.has(value.status) &&
    TEXTS.every((name) => value[name] === undefined || typeof value[name] === 'string');
  return isRecord ? (value as unknown as ActualCameraSubscription) : null;
}

/** A field of `worker:skipped_displays`. */
export function toSkipped(text: string): Omit<SkippedDisplay, 'displayId'> | null {
  const value = parsedJson(text) as Partial<SkippedDisplay> | null | undefined;
  if (typeof value?.reason !== 'string' || typeof value.detail !== 'string') return null;
  const { cameraId, reason, detail } = value;
  return { ...(typeof cameraId === 'string' && { cameraId }), reason, detail };
}

/** The model of a subscription; the version of its file is null where it is not known. */
export interface SubscriptionModel {
  readonly name: string;
  readonly version: string | null;
}

/** The model in a field of `worker:desired_subscriptions`. */
export function toModel(text: string): SubscriptionModel | null {
  const { modelName, modelVersion } = (parsedJson(text) ?? {}) as Partial<Record<string, unknown>>;
  if (typeof modelName !== 'string') return null;
  return { name: modelName, version: typeof modelVersion === 'string' ? modelVersion : null };
}
