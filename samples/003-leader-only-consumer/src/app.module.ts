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
      // A frozen master is replaced within 4 s, so that there is something to see; by default after 35 s.
      timing: 'fast',
    }),
  ],
  providers: [OrderStore, ReceiptService, OrderConsumer],
})
export class AppModule {}
