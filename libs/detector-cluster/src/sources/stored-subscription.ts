import {
  type DesiredCameraSubscription,
  identifierProblem,
  specHash,
} from '@detector-cluster/placement/internal';
import {
  httpUrlProblem,
  intervalProblem,
  modelIdProblem,
  modelNameProblem,
  modelVersionProblem,
  readCrop,
  streamUrlProblem,
  type Problem,
} from './stream-fields.js';
import { sealUrls, withoutSecrets, type Sealer } from './stream-secrets.js';
import { type SecretBox } from './secret-box.js';
import { z } from 'zod';

/** The process that holds the secrets of a request. */
export interface Requester {
  readonly processId: string;
  /** Unique for each start of the process. */
  readonly bootId: string;
}

/** A request as stored in Redis. */
interface StoredSubscription extends DesiredCameraSubscription {
  /** Its URLs with their secrets, encrypted; the plain URLs beside it contain no secrets. */
  sealed?: string;
  /** Hash of the complete subscription, where the plain URLs are not complete. */
  specHash?: string;
  /** Its secrets are in the memory of this process; `sealed` opens only in the term of one master. */
  requester?: Requester;
}

/**
 * The form that is written to Redis. With a box all URLs are encrypted, because a secret in a path looks like any other path;
 * the public form is stored beside them. Without a box, the subscription itself: the caller ensures that it holds no secret.
 */
export function toStored(subscription: DesiredCameraSubscription, box: SecretBox | null): string {
  if (box === null) return JSON.stringify(subscription);
  return JSON.stringify({
    ...withoutSecrets(subscription),
    sealed: sealUrls(subscription, box),
    specHash: specHash(subscription, box.hashKey),
  } satisfies StoredSubscription);
}

/** The form of a request that lives as long as its requester. @param sealer for the present master; null: there is none */
export function toHeld(
  subscription: DesiredCameraSubscription,
  requester: Requester,
  sealer: Sealer | null,
): string {
  return JSON.stringify({
    ...withoutSecrets(subscription),
    specHash: specHash(subscription),
    requester,
    ...(sealer !== null && { sealed: sealUrls(subscription, sealer) }),
  } satisfies StoredSubscription);
}

/** Reads a field of the hash of requests. Returns the problem if it cannot. Never throws. */
export function readStored(field: string, text: string): StoredSubscription | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const { success, data, error } = storedSubscriptionSchema.safeParse(value);
  if (!success) return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  if (data.subscriptionIdentifier === field) return data;
  return `holds the subscription ${JSON.stringify(data.subscriptionIdentifier)}`;
}

function checked<T>(problemOf: (value: unknown) => Problem) {
  return z.custom<T>((value) => problemOf(value) === null, {
    error: ({ input }) => problemOf(input) ?? 'is invalid',
  });
}

function subscriptionProblem(value: unknown): Problem {
  if (typeof value !== 'string') return 'must be a string';
  const halves = value.split(';');
  if (halves.length !== 2) return 'must be "<displayId>;<cameraId>"';
  return identifierProblem(halves[0]) ?? identifierProblem(halves[1]);
}

/** A process of another version may have written the field, so it is checked like any input. */
export const storedSubscriptionSchema: z.ZodType<StoredSubscription> = z
  .object({
    subscriptionIdentifier: checked<string>(subscriptionProblem),
    rtspUrl: checked<string>(streamUrlProblem),
    modelId: checked<number>(modelIdProblem),
    modelName: checked<string>(modelNameProblem),
    createdAt: z.iso.datetime(),
    snapshotUrl: checked<string>(httpUrlProblem).exactOptional(),
    snapshotInterval: checked<number>(intervalProblem).exactOptional(),
    cropX1: z.number().exactOptional(),
    cropY1: z.number().exactOptional(),
    cropX2: z.number().exactOptional(),
    cropY2: z.number().exactOptional(),
    modelUrl: checked<string>(httpUrlProblem).exactOptional(),
    modelVersion: checked<string>(modelVersionProblem).exactOptional(),
    sealed: z.string().exactOptional(),
    specHash: z.string().exactOptional(),
    requester: z.object({ processId: z.string(), bootId: z.string() }).exactOptional(),
  })
  .superRefine((value, context) => {
    const reading = readCrop(value);
    if ('problem' in reading)
      context.addIssue({ code: 'custom', path: [reading.field], message: reading.problem });
  });
