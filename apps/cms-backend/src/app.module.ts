import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CameraNetworks, CameraService } from './cameras/camera.service.js';
import { CamerasController } from './cameras/cameras.controller.js';
import { ClusterModule } from './cluster/cluster.module.js';
import { APP_CONFIG, type AppConfig } from './config/app-config.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DetectionsModule } from './detections/detections.module.js';
import { DisplayService } from './displays/display.service.js';
import { DisplaysController } from './displays/displays.controller.js';
import { ImpactForecast } from './entries/impact-forecast.js';
import { HealthModule, MetricsModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { ModelsModule } from './models/models.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { PlaylistService } from './playlists/playlist.service.js';
import { PlaylistsController } from './playlists/playlists.controller.js';
import { RedisModule } from './redis/redis-health.js';

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

@Module({ controllers: [PlaylistsController], providers: [PlaylistService], exports: [PlaylistService] })
class PlaylistsModule {}

/** Services that the four kinds of entries share. */
@Global()
@Module({ providers: [ImpactForecast], exports: [ImpactForecast] })
class EntriesModule {}

@Module({ controllers: [DisplaysController], providers: [DisplayService], exports: [DisplayService] })
class DisplaysModule {}

@Module({
  controllers: [CamerasController],
  providers: [CameraNetworks, CameraService],
  exports: [CameraService],
})
class CamerasModule {}

/** The entries of the database, over HTTP. */
@Module({ imports: [EntriesModule, CamerasModule, DisplaysModule, PlaylistsModule, ModelsModule] })
class ApiModule {}

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
