/**
 * Presigned URLs of models in S3 or a compatible store.
 *
 * @example
 * ```ts
 * import { S3ModelUrlProvider } from '@detector-cluster/detector-cluster/s3';
 *
 * const modelUrl = new S3ModelUrlProvider({ bucket: 'models', key: '{name}-{id}.mpta' });
 * ```
 * @packageDocumentation
 */
import { GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { ModelReference, ModelUrlProvider } from './model-url-provider.js';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { httpUrlProblem, type Problem } from './stream-fields.js';

export interface S3ModelUrlOptions {
  readonly bucket: string;
  /**
   * The object key of a model: a template with `{id}` and `{name}`, or a function, which may query the database. If it rejects,
   * the error is logged and the subscription is retried. Default `{name}.mpta`.
   */
  readonly key?: string | ((model: ModelReference) => string | Promise<string>);
  /** Default: from the environment, found by the AWS SDK. */
  readonly region?: string;
  /** `http://` or `https://` URL under which workers reach a store other than AWS, e.g. MinIO; it is part of the signature. */
  readonly endpoint?: string;
  /** `<endpoint>/<bucket>/<key>` instead of `<bucket>.<endpoint>/<key>`. Default: true with an `endpoint`. */
  readonly forcePathStyle?: boolean;
  /** Default: found by the AWS SDK. A URL signed with temporary credentials expires with them. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** How long a URL is valid, from 60,000 to 604,800,000 ms (a week). Default 3,600,000. */
  readonly expiresIn?: number;
}

/** All commands of a burst share one signature; every later send or resend gets a new one. Milliseconds. */
const SHARED_FOR = 1_000;
const DEFAULT_LIFE = 3_600_000;

interface Signed {
  readonly at: number;
  readonly url: Promise<string>;
}

/**
 * Presigned GET URLs of models in S3 or a compatible store. Signing is local: the SDK makes requests only to find
 * credentials. A returned URL is at most 1 s old.
 */
export class S3ModelUrlProvider implements ModelUrlProvider {
  private readonly client: S3Client;
  private readonly signed = new Map<string, Signed>();

  /**
   * @param now wall clock in milliseconds: the time of the signature
   * @throws {InvalidInputError} naming the option
   */
  constructor(
    private readonly options: S3ModelUrlOptions,
    private readonly now: () => number = Date.now,
  ) {
    const wrong = s3OptionProblem(options);
    if (wrong !== null) throw new InvalidInputError(wrong.field, wrong.problem);
    const { region, endpoint, credentials, forcePathStyle = endpoint !== undefined } = options;
    this.client = new S3Client({
      forcePathStyle,
      // The checksum mode would become part of the URL, and not all stores other than AWS support it.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials !== undefined && { credentials }),
    });
  }

  /** Rejects when the object's key or the credentials are not available; the sender retries. */
  async urlFor(model: ModelReference): Promise<string> {
    const now = this.now();
    for (const [key, { at }] of this.signed) if (isOld(at, now)) this.signed.delete(key);
    const id = JSON.stringify([model.modelId, model.modelName]);
    const shared = this.signed.get(id);
    if (shared !== undefined) return shared.url;
    const entry = { at: now, url: this.sign(model) };
    this.signed.set(id, entry);
    try {
      return await entry.url;
    } catch (error) {
      if (this.signed.get(id) === entry) this.signed.delete(id);
      throw error;
    }
  }

  private async sign(model: ModelReference): Promise<string> {
    const { bucket, expiresIn = DEFAULT_LIFE } = this.options;
    const command = new GetObjectCommand({ Bucket: bucket, Key: await this.keyOf(model) });
    return getSignedUrl(this.client, command, {
      // Rounding up would make the URL outlive the configured time.
      expiresIn: Math.floor(expiresIn / 1_000),
      signingDate: new Date(this.now()),
    });
  }

  private async keyOf(model: ModelReference): Promise<string> {
    const { key = '{name}.mpta' } = this.options;
    if (typeof key === 'function') return key(model);
    const values = { id: String(model.modelId), name: model.modelName };
    return key.replaceAll(/\{(id|name)\}/g, (_, name: 'id' | 'name') => values[name]);
  }
}

/** A signature from the future (the clock was set back) is stale too. */
function isOld(at: number, now: number): boolean {
  return now < at || now - at >= SHARED_FOR;
}

/** A worker needs time to begin its download; SigV4 allows at most a week. Milliseconds. */
const MIN_LIFE = 60_000;
const MAX_LIFE = 604_800_000;

/** The first invalid option, and why; null if all are valid. */
function s3OptionProblem(options: S3ModelUrlOptions): { field: string; problem: string } | null {
  const { bucket, key, endpoint, expiresIn } = options;
  const found: [string, Problem][] = [
    ['bucket', typeof bucket === 'string' && bucket !== '' ? null : 'is required'],
    ['key', key === undefined || key !== '' ? null : 'must not be empty, e.g. "models/{name}.mpta"'],
    ['endpoint', endpoint === undefined ? null : endpointProblem(endpoint)],
    ['expiresIn', expiresIn === undefined ? null : lifeProblem(expiresIn)],
  ];
  for (const [field, problem] of found) if (problem !== null) return { field, problem };
  return null;
}

function endpointProblem(endpoint: string): Problem {
  const problem = httpUrlProblem(endpoint);
  if (problem !== null) return problem;
  const { username, password } = new URL(endpoint);
  return username === '' && password === '' ? null : 'must not hold credentials; give them as credentials';
}

function lifeProblem(expiresIn: number): Problem {
  return Number.isInteger(expiresIn) && expiresIn >= MIN_LIFE && expiresIn <= MAX_LIFE
    ? null
    : `must be a whole number of milliseconds from ${MIN_LIFE} to ${MAX_LIFE}, got ${String(expiresIn)}`;
}
