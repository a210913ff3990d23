import { type DynamicModule, Module } from '@nestjs/common';
import { AlertsModule } from './alerts/alerts.module.js';
import { ClusterModule } from './cluster/cluster.module.js';
import { APP_CONFIG, type AppConfig } from './config/app-config.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DatabaseModule } from './stores/database.module.js';
import { DetectionsModule } from './detections/detections.module.js';
import { EntriesModule } from './entries/entries.module.js';
import { HealthModule } from './health/health.module.js';
import { MetricsModule } from './health/metrics.module.js';
import { HttpModule } from './http/http.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { RedisModule } from './stores/redis.module.js';

/** Makes the configuration, read once by `main`, injectable everywhere. */
@Module({})
class ConfigModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: APP_CONFIG, useValue: config }],
      exports: [APP_CONFIG],
    };
  }
}

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
        DetectionsModule,
        ClusterModule,
        AlertsModule,
        DashboardModule,
        HealthModule,
        MetricsModule.forRoot(),
        OpenApiModule,
        EntriesModule,
      ],
    };
  }
}
