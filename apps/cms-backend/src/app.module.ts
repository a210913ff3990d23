import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MasterAlerts } from './alerts/master-alerts.js';
import { ClusterModule } from './cluster/cluster.module.js';
import { APP_CONFIG, type AppConfig } from './config/app-config.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DetectionsModule } from './detections/detections.module.js';
import { EntriesModule } from './entries/entries.module.js';
import { HealthModule } from './health/health.module.js';
import { MetricsModule } from './health/metrics.module.js';
import { HttpModule } from './http/http.module.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { StoresModule } from './stores/stores.module.js';

/** Makes the configuration, read once by `main`, injectable everywhere. */
@Module({})
class ConfigModule {}

@Module({})
export class AppModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        {
          module: ConfigModule,
          global: true,
          providers: [{ provide: APP_CONFIG, useValue: config }],
          exports: [APP_CONFIG],
        },
        HttpModule,
        StoresModule,
        DetectionsModule,
        ClusterModule,
        DashboardModule,
        HealthModule,
        MetricsModule.forRoot(),
        DiscoveryModule,
        EntriesModule,
      ],
      controllers: [OpenApiController],
      providers: [MasterAlerts],
    };
  }
}
