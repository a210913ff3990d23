import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { ModelReference } from '../stream/model-url-provider.js';

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
