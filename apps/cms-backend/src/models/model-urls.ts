import type { ModelUrlProvider } from '@detector-cluster/detector-cluster';
import type { ModelStore } from '../config/app-config.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { BaseUrlProvider } from './base-url.provider.js';
import { modelKey } from './model-key.js';

/** Injection token of the `ModelUrlProvider`. */
export const MODEL_URLS = Symbol('MODEL_URLS');

/** Makes the URLs of models as configured; the AWS SDK is loaded only where it is needed. */
export async function createModelUrls(store: ModelStore, prisma: PrismaClient): Promise<ModelUrlProvider> {
  const keyOf = (modelId: number) => modelKey(prisma, modelId);
  if ('baseUrl' in store) return new BaseUrlProvider(store.baseUrl, keyOf);
  const { S3ModelUrlProvider } = await import('@detector-cluster/detector-cluster/s3');
  return new S3ModelUrlProvider({ ...store, key: ({ modelId }) => keyOf(modelId) });
}
