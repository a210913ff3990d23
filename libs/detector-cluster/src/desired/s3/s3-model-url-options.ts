import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { ModelReference } from '../stream/model-url-provider.js';

export interface S3ModelUrlOptions {
  readonly bucket: string;
  /**
   * The object of a model: a template with `{id}` and `{name}`, or a function, which may ask the database. What it rejects
   * with is logged, and the subscription is tried again. Default `{name}.mpta`.
   */
  readonly key?: string | ((model: ModelReference) => string | Promise<string>);
  /** Default: as the AWS SDK finds it in the environment. */
  readonly region?: string;
  /** `http://` or `https://` URL of a store that is not AWS, e.g. MinIO, as workers reach it: it is part of the signature. */
  readonly endpoint?: string;
  /** `<endpoint>/<bucket>/<key>` instead of `<bucket>.<endpoint>/<key>`. Default: true with an `endpoint`. */
  readonly forcePathStyle?: boolean;
  /** Default: as the AWS SDK finds them. Temporary ones end a URL's life with their own. */
  readonly credentials?: NonNullable<S3ClientConfig['credentials']>;
  /** How long a URL is good for, from 60,000 to 604,800,000 ms (a week). Default 3,600,000. */
  readonly expiresIn?: number;
}
