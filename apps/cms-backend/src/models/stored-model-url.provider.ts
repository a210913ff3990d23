import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';

/** Where workers download a model: `<MODEL_BASE_URL>/<fileKey>`, with the key the database has at that moment. */
@Injectable()
export class StoredModelUrlProvider {
  private readonly base: string;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    @Inject(PRISMA) private readonly prisma: PrismaClient,
  ) {
    this.base = config.cluster.modelBaseUrl.replace(/\/+$/, '');
  }

  /** Rejects when the model is gone or the database cannot be read; whoever sends tries again. */
  async urlFor({ modelId }: { readonly modelId: number }): Promise<string> {
    const model = await this.prisma.model.findUnique({ where: { id: modelId }, select: { fileKey: true } });
    if (model === null) throw new Error(`there is no model ${modelId}`);
    const key = model.fileKey.split('/').map(encodeURIComponent).join('/');
    return `${this.base}/${key.replace(/^\/+/, '')}`;
  }
}
