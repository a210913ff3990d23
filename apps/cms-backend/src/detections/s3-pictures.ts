import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { BucketOptions, PictureStore } from './picture-store.js';

/** For one request. Milliseconds. */
const TIMEOUT = 10_000;

/** Pictures in a bucket. */
export class S3Pictures implements PictureStore {
  private readonly client: S3Client;

  constructor(
    private readonly place: { readonly bucket: string; readonly prefix: string },
    { endpoint, forcePathStyle = endpoint !== undefined, ...options }: BucketOptions,
  ) {
    this.client = new S3Client({
      // Not all stores other than AWS support checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...options,
      endpoint,
      forcePathStyle,
    });
  }

  async put(name: string, picture: Buffer): Promise<void> {
    const what = { ...this.objectOf(name), Body: picture, ContentType: 'image/jpeg' };
    await this.client.send(new PutObjectCommand(what), { abortSignal: AbortSignal.timeout(TIMEOUT) });
  }

  async get(name: string): Promise<Buffer | null> {
    try {
      const { Body } = await this.client.send(new GetObjectCommand(this.objectOf(name)), {
        abortSignal: AbortSignal.timeout(TIMEOUT),
      });
      return Buffer.from(await Body!.transformToByteArray());
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.objectOf(name)), {
      abortSignal: AbortSignal.timeout(TIMEOUT),
    });
  }

  private objectOf(name: string) {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${name}.jpg` };
  }
}
