import { Module, type DynamicModule } from '@nestjs/common';
import { ApiModule } from './api.module.js';
import { ClusterModule } from './cluster/cluster.module.js';
import type { AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DetectionsModule } from './detections/detections.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { RedisModule } from './redis/redis.module.js';

@Module({})
export class AppModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        HttpModule,
        DatabaseModule,
        RedisModule,
        ApiModule,
        DetectionsModule,
        ClusterModule,
        DashboardModule,
        HealthModule,
        MetricsModule.forRoot(),
        OpenApiModule,
      ],
    };
  }
}
