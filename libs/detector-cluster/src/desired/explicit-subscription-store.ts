import { readHash } from '@detector-cluster/election/internal/redis';
import type { Redis } from 'ioredis';
import {
  assertIdentifier,
  InvalidInputError,
  parseSubscription,
  identifierProblem,
  type DesiredCameraSubscription,
  specHash,
} from '@detector-cluster/placement/internal';
import type { ClusterKeys } from '../store/cluster-keys.js';
import { secretField, withoutSecrets, openUrls, sealUrls, type SecretBox } from './stream-secrets.js';
import { z } from 'zod';
import {
  httpUrlProblem,
  intervalProblem,
  modelIdProblem,
  modelNameProblem,
  readCrop,
  streamUrlProblem,
  type Problem,
} from './stream-fields.js';

/** An unusable field of the hash. The field stays, because a newer version may have written it. */
export interface CorruptSubscription {
  readonly subscriptionIdentifier: string;
  readonly detail: string;
}

export interface ExplicitSubscriptions {
  /** Sorted by identifier. */
  readonly subscriptions: DesiredCameraSubscription[];
  /** Subscriptions whose URLs are encrypted with a secret that this process does not have. */
  readonly redacted: RedactedSubscription[];
  readonly corrupt: CorruptSubscription[];
}

/**
 * Subscriptions made with `subscribeToCamera`, one hash field each, so that they outlive the requesting process. Any process
 * writes; the master reads them together with the database. Redis errors pass through.
 */
export class ExplicitSubscriptionStore {
  private readonly key: string;

  /** @param box encrypts URLs; null when no secret is configured */
  constructor(
    private readonly redis: Redis,
    keys: Pick<ClusterKeys, 'requested'>,
    private readonly box: SecretBox | null,
  ) {
    this.key = keys.requested;
  }

  /** {@link putAll} for one. */
  put(subscription: DesiredCameraSubscription): Promise<void> {
    return this.putAll([subscription]);
  }

  /**
   * Adds or replaces, all in one command.
   * @throws {InvalidInputError} when a URL may hold a secret and no secret is configured to encrypt it; nothing is written then
   */
  async putAll(subscriptions: readonly DesiredCameraSubscription[]): Promise<void> {
    const fields = subscriptions.map((subscription): [string, string] => [
      subscription.subscriptionIdentifier,
      JSON.stringify(this.sealed(subscription)),
    ]);
    if (fields.length > 0) await this.redis.hset(this.key, Object.fromEntries(fields));
  }

  private sealed(subscription: DesiredCameraSubscription) {
    const field = secretField(subscription);
    if (field !== null && this.box === null)
      throw new InvalidInputError(
        field,
        `may hold credentials or a signature (${JSON.stringify(withoutSecrets(subscription)[field])} without them), which Redis gets only encrypted: give DetectorClusterModule the option secret, the same in every process`,
      );
    return toStored(subscription, this.box);
  }

  /** Returns whether it existed. */
  async remove(subscriptionIdentifier: string): Promise<boolean> {
    parseSubscription(subscriptionIdentifier);
    return (await this.redis.hdel(this.key, subscriptionIdentifier)) > 0;
  }

  /** Removes the subscriptions of all displays to a camera, corrupt ones too; returns their identifiers. */
  async removeByCamera(cameraId: string): Promise<string[]> {
    assertIdentifier('cameraIdentifier', cameraId);
    const fields = [...(await readHash(this.redis, this.key)).keys()];
    const matching = fields.filter((field) => field.endsWith(`;${cameraId}`)).sort();
    if (matching.length > 0) await this.redis.hdel(this.key, ...matching);
    return matching;
  }

  async list(): Promise<ExplicitSubscriptions> {
    const found: ExplicitSubscriptions = { subscriptions: [], redacted: [], corrupt: [] };
    const entries = [...(await readHash(this.redis, this.key))].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [subscriptionIdentifier, text] of entries) {
      const result = readStored(subscriptionIdentifier, text, this.box);
      if (typeof result === 'string') found.corrupt.push({ subscriptionIdentifier, detail: result });
      else if ('spec' in result) found.redacted.push(result);
      else found.subscriptions.push(result);
    }
    return found;
  }
}

/** A subscription whose secrets cannot be read: its other fields, and its hash. */
interface RedactedSubscription {
  readonly spec: DesiredCameraSubscription;
  readonly hash: string;
}

/**
 * The form that is written to Redis. With a box all URLs are encrypted, because a secret in a path looks like any other path;
 * the public form is stored beside them. Without a box, the subscription itself: the caller ensures that it holds no secret.
 */
function toStored(subscription: DesiredCameraSubscription, box: SecretBox | null): StoredSubscription {
  if (box === null) return subscription;
  return {
    ...withoutSecrets(subscription),
    sealed: sealUrls(subscription, box),
    specHash: specHash(subscription, box.hashKey),
  };
}

/** The inverse of {@link toStored}: the subscription, its readable fields if it cannot be decrypted, or the problem. */
function readStored(
  field: string,
  text: string,
  box: SecretBox | null,
): DesiredCameraSubscription | RedactedSubscription | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  const { success, data, error } = storedSubscriptionSchema.safeParse(value);
  if (!success) return error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  if (data.subscriptionIdentifier !== field)
    return `holds the subscription ${JSON.stringify(data.subscriptionIdentifier)}`;
  const { sealed, specHash: hash = '', ...open } = data;
  if (sealed === undefined) return open;
  const urls = openUrls(sealed, field, box);
  return urls === null ? { spec: open, hash } : { ...open, ...urls };
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

/** A subscription as stored in Redis. */
interface StoredSubscription extends DesiredCameraSubscription {
  /** Its URLs with their secrets, encrypted; the plain URLs beside it contain no secrets. */
  sealed?: string;
  /** Hash of the complete subscription; only with `sealed`. */
  specHash?: string;
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
    sealed: z.string().exactOptional(),
    specHash: z.string().exactOptional(),
  })
  .superRefine((value, context) => {
    const reading = readCrop(value);
    if ('problem' in reading)
      context.addIssue({ code: 'custom', path: [reading.field], message: reading.problem });
  });
