import { Module } from '@nestjs/common';
import { ModelService } from './model.service.js';
import { ModelsController } from './models.controller.js';
import { StoredModelUrlProvider } from './stored-model-url.provider.js';

@Module({
  controllers: [ModelsController],
  providers: [ModelService, StoredModelUrlProvider],
  exports: [ModelService, StoredModelUrlProvider],
})
export class ModelsModule {}
