import type { ModelFile, ModelReference, ModelUrlProvider } from '@detector-cluster/detector-cluster';
import { plainTextProblem } from '@detector-cluster/detector-cluster/validation';
import type { S3ModelUrlOptions } from '@detector-cluster/detector-cluster/s3';
import { Module } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../stores/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';

/** Where workers download a model: at `<baseUrl>/<fileKey>`, or the object `fileKey` of a bucket. */
export type ModelStore = { readonly baseUrl: string } | Omit<S3ModelUrlOptions, 'key'>;

const MAX_VERSION_LENGTH = 128;

/** Begins a version that does not tell the key. */
const HASHED = 'sha256:';

/** URLs of the form `<base>/<key>`. The key is the version, because each file has a key of its own. */
class BaseUrlProvider implements ModelUrlProvider {
  private readonly base: string;

  /** @param keyOf may query the database. If it rejects, the sender logs the error and retries. */
  constructor(
    base: string,
    private readonly keyOf: (modelId: number) => Promise<string>,
  ) {
    this.base = base.replace(/\/+$/, '');
  }

  async urlFor({ modelId, version }: ModelReference): Promise<ModelFile> {
    const key = version?.startsWith(HASHED) === false ? version : await this.keyOf(modelId);
    const path = key.split('/').map(encodeURIComponent).join('/');
    return { url: `${this.base}/${path.replace(/^\/+/, '')}`, version: versionOf(key) };
  }
}

/** Not every key can be a version as it is. */
function versionOf(key: string): string {
  const isVersion = key.length <= MAX_VERSION_LENGTH && plainTextProblem(key) === null;
  return isVersion ? key : HASHED + createHash('sha256').update(key).digest('hex');
}

/** Injection token of the `ModelUrlProvider`. */
export const MODEL_URLS = Symbol('MODEL_URLS');

/** Makes the URLs of models as configured; the AWS SDK is loaded only where it is needed. */
export async function createModelUrls(store: ModelStore, prisma: PrismaClient): Promise<ModelUrlProvider> {
  const keyOf = (modelId: number) => modelKey(prisma, modelId);
  if ('baseUrl' in store) return new BaseUrlProvider(store.baseUrl, keyOf);
  const { S3ModelUrlProvider } = await import('@detector-cluster/detector-cluster/s3');
  return new S3ModelUrlProvider({ ...store, key: ({ modelId }) => keyOf(modelId) });
}

/** The file of a model, by the key that the database has at this moment. Rejects if the model no longer exists or cannot be read. */
async function modelKey(prisma: PrismaClient, modelId: number): Promise<string> {
  const model = await prisma.model.findUnique({ where: { id: modelId }, select: { fileKey: true } });
  if (model === null) throw new Error(`there is no model ${modelId}`);
  return model.fileKey;
}

@Module({
  providers: [
    {
      provide: MODEL_URLS,
      inject: [APP_CONFIG, PRISMA],
      useFactory: ({ models }: AppConfig, prisma: PrismaClient) => createModelUrls(models, prisma),
    },
  ],
  exports: [MODEL_URLS],
})
export class ModelUrlsModule {}
