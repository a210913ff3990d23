import { MasterElectionModule } from '@detector-cluster/master-election';
import { Module } from '@nestjs/common';
import { redisUrl, replica } from './config.js';
import { OrderConsumer } from './order.consumer.js';
import { OrderStore } from './order.store.js';
import { ReceiptService } from './receipt.service.js';

@Module({
  imports: [
    MasterElectionModule.forRoot({
      redis: redisUrl,
      lockName: 'sample-003:election',
      identifier: replica,
      // Replaces a frozen master within 4 s instead of 35 s, so that the sample is quick.
      timing: 'fast',
    }),
  ],
  providers: [OrderStore, ReceiptService, OrderConsumer],
})
export class AppModule {}
