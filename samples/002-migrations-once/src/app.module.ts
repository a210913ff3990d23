import { MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { redisUrl, replica } from './config.js';
import { MigrationService } from './migration.service.js';
import { PlateService } from './plate.service.js';

@Module({
  imports: [
    MasterElectionModule.forRoot({
      redis: redisUrl,
      lockName: 'sample-002:election',
      identifier: replica,
    }),
  ],
  providers: [MigrationService, PlateService],
})
export class AppModule {}
