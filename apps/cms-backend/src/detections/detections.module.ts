import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DetectionsController } from './detections.controller.js';
import { RecentDetections } from './recent-detections.js';

@Module({
  controllers: [DetectionsController],
  providers: [
    {
      provide: RecentDetections,
      inject: [APP_CONFIG],
      useFactory: (config: AppConfig) => new RecentDetections(config.recentDetections),
    },
  ],
  exports: [RecentDetections],
})
export class DetectionsModule {}
