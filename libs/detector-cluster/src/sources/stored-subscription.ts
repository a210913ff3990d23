import {
  type DesiredCameraSubscription,
  parseSubscription,
  specHash,
} from '@detector-cluster/placement/internal';
import { readStream } from './stream-fields.js';
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

/** What a stored subscription has beside its stream. */
const storedFields = z.object({
  subscriptionIdentifier: z.string(),
  createdAt: z.iso.datetime(),
  sealed: z.string().exactOptional(),
  specHash: z.string().exactOptional(),
  requester: z.object({ processId: z.string(), bootId: z.string() }).exactOptional(),
});

/**
 * Reads a field of the hash of requests. Returns the problem if it cannot. Never throws. A process of another version may have
 * written the field, so it is checked like any input.
 */
export function readStored(field: string, text: string): StoredSubscription | string {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'is not JSON';
  }
  const { success, data, error } = storedFields.safeParse(value);
  if (!success) return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  try {
    parseSubscription(data.subscriptionIdentifier);
  } catch (problem) {
    return (problem as Error).message;
  }
  const reading = readStream(value);
  if ('problem' in reading) return `${reading.field}: ${reading.problem}`;
  if (data.subscriptionIdentifier === field) return { ...data, ...reading.stream };
  return `holds the subscription ${JSON.stringify(data.subscriptionIdentifier)}`;
}
