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
import { GetObjectCommand, HeadObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { TopicLogger } from '../shared/topic-logger.js';
import type { ModelFile, ModelReference, ModelUrlProvider } from './model-url-provider.js';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { httpUrlProblem, modelVersionProblem, type Problem } from './stream-fields.js';

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

const DEFAULT_LIFE = 3_600_000;
/** Every process that is master asks for the ETag of an object this often at most. Milliseconds. */
const ETAG_FOR = 10_000;
/** Milliseconds. */
const HEAD_TIMEOUT = 2_000;

interface StoredObject extends Pick<ModelFile, 'size' | 'sha256'> {
  readonly etag: string;
}

interface Asked {
  readonly at: number;
  readonly object: Promise<StoredObject | undefined>;
}

/** Describes the object at a presigned URL for HEAD; rejects if the store does not tell its ETag. */
type ReadObject = (url: string) => Promise<StoredObject>;

/**
 * Presigned GET URLs of models in S3 or a compatible store. The version is the key of the object and its ETag,
 * which is asked for at most every 10 s. Its size, and the SHA-256 in
 * its metadata `sha256`, go to the workers. An object that keeps its key and its content is still found when the model has another one. If the store does not tell it to this process, the last known one counts: workers may reach a
 * store that the backends do not reach.
 */
export class S3ModelUrlProvider implements ModelUrlProvider {
  private readonly client: S3Client;
  private readonly asked = new Map<string, Asked>();
  private readonly logger = new TopicLogger(S3ModelUrlProvider.name);
  /** Objects without an ETag. The log names each once, until it has one. */
  private readonly unversioned = new Set<string>();

  /**
   * @param now wall clock in milliseconds: the time of the signature
   * @param readObject default: a HEAD request
   * @throws {InvalidInputError} naming the option
   */
  constructor(
    private readonly options: S3ModelUrlOptions,
    private readonly now: () => number = Date.now,
    private readonly readObject: ReadObject = objectAt,
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
  async urlFor(model: ModelReference): Promise<ModelFile> {
    // The key may contain the separator, the ETag does not.
    const [, wantedKey] = /^(.+)@[^@]+$/.exec(model.version ?? '') ?? [];
    const wanted = wantedKey === undefined ? null : await this.fileAt(wantedKey);
    return wanted?.version === model.version && wanted !== null
      ? wanted
      : this.fileAt(await this.keyOf(model));
  }

  private async fileAt(Key: string): Promise<ModelFile> {
    // The signature comes last, so that it is fresh.
    const object = await this.objectOf(Key);
    const url = await this.sign(new GetObjectCommand({ Bucket: this.options.bucket, Key }));
    if (object === undefined) return { url };
    const { etag, ...file } = object;
    return { url, version: versionOf(Key, etag), ...file };
  }

  private sign(command: GetObjectCommand | HeadObjectCommand): Promise<string> {
    const { expiresIn = DEFAULT_LIFE } = this.options;
    return getSignedUrl(this.client, command, {
      // Rounding up would make the URL outlive the configured time.
      expiresIn: Math.floor(expiresIn / 1_000),
      signingDate: new Date(this.now()),
    });
  }

  private objectOf(key: string): Promise<StoredObject | undefined> {
    const now = this.now();
    const before = this.asked.get(key);
    // The clock may have been set back.
    if (before !== undefined && now >= before.at && now - before.at < ETAG_FOR) return before.object;
    const object = this.askForObject(key).catch(() => before?.object);
    this.asked.set(key, { at: now, object });
    return object;
  }

  private async askForObject(key: string): Promise<StoredObject> {
    try {
      const object = await this.readObject(
        await this.sign(new HeadObjectCommand({ Bucket: this.options.bucket, Key: key })),
      );
      this.unversioned.delete(key);
      return object;
    } catch (error) {
      if (!this.unversioned.has(key))
        this.logger.warn(
          `the store does not tell the ETag of ${key}, so a new file under this key is not noticed: ${(error as Error).message}`,
        );
      this.unversioned.add(key);
      throw error;
    }
  }

  private async keyOf(model: ModelReference): Promise<string> {
    const { key = '{name}.mpta' } = this.options;
    if (typeof key === 'function') return key(model);
    const values = { id: String(model.modelId), name: model.modelName };
    return key.replaceAll(/\{(id|name)\}/g, (_, name: 'id' | 'name') => values[name]);
  }
}

/** By the key an object is found again. Some keys cannot be part of a version. */
function versionOf(key: string, etag: string): string {
  const version = `${key}@${etag}`;
  return modelVersionProblem(version) === null ? version : etag;
}

async function objectAt(url: string): Promise<StoredObject> {
  const { status, headers } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(HEAD_TIMEOUT) });
  if (status !== 200) throw new Error(`HEAD answered ${status}`);
  const etag = (headers.get('etag') ?? '').replaceAll(/^W\/|"/g, '');
  const problem = modelVersionProblem(etag);
  if (problem !== null) throw new Error(`ETag: ${problem}`);
  const length = headers.get('content-length') ?? '';
  const sha256 = headers.get('x-amz-meta-sha256') ?? '';
  return {
    etag,
    ...(/^\d{1,15}$/.test(length) && { size: Number(length) }),
    ...(/^[0-9a-f]{64}$/.test(sha256) && { sha256 }),
  };
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
