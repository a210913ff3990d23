import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { InvalidInputError } from '../../model/subscription-identifier.js';
import type { ModelReference, ModelUrlProvider } from '../stream/model-url-provider.js';
import type { S3ModelUrlOptions } from './s3-model-url-options.js';
import { s3OptionProblem } from './s3-option-problems.js';

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
