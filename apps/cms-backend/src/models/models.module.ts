import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PRISMA } from '../database/prisma-client.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { createModelUrls, MODEL_URLS } from './model-urls.js';
import { ModelService } from './model.service.js';
import { ModelsController } from './models.controller.js';

@Module({
  controllers: [ModelsController],
  providers: [
    ModelService,
    {
      provide: MODEL_URLS,
      inject: [APP_CONFIG, PRISMA],
      useFactory: ({ cluster }: AppConfig, prisma: PrismaClient) => createModelUrls(cluster.models, prisma),
    },
  ],
  exports: [ModelService, MODEL_URLS],
})
export class ModelsModule {}
