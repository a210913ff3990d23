import 'reflect-metadata';
import {
  DetectorClusterModule,
  OnDetection,
  StaticModelUrlProvider,
  type ImageDetectionResponse,
} from '@detector-cluster/detector-cluster';
import { MasterElectionModule } from '@detector-cluster/master-election';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { keyPrefix, port, redis, workers } from './config.js';
import { DisplaysController } from './displays.controller.js';
import { prisma, PrismaConnections, trigger } from './prisma.js';

const modelUrl = new StaticModelUrlProvider('https://models.example.com');

@Injectable()
class Plates {
  @OnDetection()
  seen({ subscriptionIdentifier, data }: ImageDetectionResponse): void {
    console.log(`${subscriptionIdentifier} sees ${data.detection?.licensePlateText ?? 'nothing'}`);
  }
}

@Module({
  imports: [
    MasterElectionModule.forRoot({ redis, lockName: `${keyPrefix}election`, isGlobal: true }),
    DetectorClusterModule.forRoot({ redis, keyPrefix, workers, prisma, trigger, modelUrl }),
  ],
  controllers: [DisplaysController],
  providers: [Plates, PrismaConnections],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
await app.listen(port, '127.0.0.1');
console.log(`answers at ${await app.getUrl()}`);
