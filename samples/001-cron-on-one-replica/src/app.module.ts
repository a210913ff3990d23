import { MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { redisUrl, replica } from './config.js';
import { ReportJob } from './report.job.js';
import { RunCounter } from './run-counter.js';

@Module({
  imports: [
    MasterElectionModule.forRoot({
      redis: redisUrl,
      lockName: 'sample-001:election',
      identifier: replica,
    }),
  ],
  providers: [RunCounter, ReportJob],
})
export class AppModule {}
