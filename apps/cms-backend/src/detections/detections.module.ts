import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DetectionsController } from './detections.controller.js';
import { RecentDetections } from './recent-detections.js';
import { StoredDetections } from './stored-detections.js';
import { StoredDetectionsController } from './stored-detections.controller.js';

@Module({
  controllers: [StoredDetectionsController, DetectionsController],
  providers: [
    StoredDetections,
    {
      provide: RecentDetections,
      inject: [APP_CONFIG],
      useFactory: (config: AppConfig) => new RecentDetections(config.recentDetections),
    },
  ],
  exports: [RecentDetections, StoredDetections],
})
export class DetectionsModule {}
