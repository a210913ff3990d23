import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  DetectorCluster,
  DetectorClusterModule,
  type DetectorClusterOptions,
  type ImageDetectionResponse,
  OnDetection,
  OnWorkerOffline,
  StaticModelUrlProvider,
  SubscriptionTrigger,
} from '@detector-cluster/detector-cluster';
import {
  DetectorClusterTestingModule,
  FakeDetectorCluster,
} from '@detector-cluster/detector-cluster/testing';
import { eventually } from '@detector-cluster/election/testing';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { anElection, serve, start } from './application.js';

@Controller('cluster')
class ClusterController {
  constructor(private readonly cluster: DetectorCluster) {}

  @Get()
  async state() {
    const { processId, isMaster, totalWorkers } = await this.cluster.getState();
    return { processId, isMaster, totalWorkers };
  }
}

@Injectable()
class Plates {
  readonly seen: string[] = [];
  readonly lost: string[] = [];

  @OnDetection()
  store({ data }: ImageDetectionResponse) {
    this.seen.push(data.detection?.licensePlateText ?? '');
  }

  @OnWorkerOffline()
  offline({ url }: { url: string }) {
    this.lost.push(url);
  }
}

@Module({ controllers: [ClusterController], providers: [Plates] })
class FeatureModule {}

const aCluster = (): DetectorClusterOptions => ({
  redis: process.env.REDIS_URL!,
  keyPrefix: `nest-${randomUUID()}:`,
  workers: [],
  modelUrl: new StaticModelUrlProvider('https://models.example.com'),
});

const count = (all: string[], owner: string) => all.filter((each) => each === owner).length;

it('injects a global cluster into controllers, and answers as the master', async () => {
  const app = await start(
    Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({ ...anElection(), isGlobal: true }),
        DetectorClusterModule.forRoot({ ...aCluster(), isGlobal: true }),
        FeatureModule,
      ],
    }),
  );
  const election = app.get(MasterElection);
  expect(await election.waitForElectionComplete()).toBe(true);
  const response = await (await serve(app))('/cluster');
  expect(await response.json()).toEqual({
    processId: election.getNodeId(),
    isMaster: true,
    totalWorkers: 0,
  });
});

it('takes the options of both modules from ConfigService', async () => {
  const { redis, keyPrefix } = aCluster();
  const app = await start(
    Test.createTestingModule({
      imports: [
        ConfigModule.forRoot({
          isGlobal: true,
          ignoreEnvFile: true,
          load: [() => ({ REDIS: redis, PREFIX: keyPrefix })],
        }),
        MasterElectionModule.forRootAsync({
          isGlobal: true,
          inject: [ConfigService],
          useFactory: (config: ConfigService) => ({ ...anElection(), redis: config.getOrThrow('REDIS') }),
        }),
        DetectorClusterModule.forRootAsync({
          isGlobal: true,
          inject: [ConfigService],
          useFactory: (config: ConfigService): DetectorClusterOptions => ({
            redis: config.getOrThrow('REDIS'),
            keyPrefix: config.getOrThrow('PREFIX'),
            workers: ['ws://127.0.0.1:9'],
            modelUrl: new StaticModelUrlProvider('https://models.example.com'),
          }),
        }),
        FeatureModule,
      ],
    }),
  );
  expect(await app.get(MasterElection).waitForElectionComplete()).toBe(true);
  expect(app.get(SubscriptionTrigger)).toBeInstanceOf(SubscriptionTrigger);
});

it('gives partitions to processes by their capabilities', async () => {
  const [election, cluster] = [anElection(), aCluster()];
  const replica = async (nodeId: string, capabilities = {}) => {
    const app = await start(
      Test.createTestingModule({
        imports: [
          MasterElectionModule.forRoot({ ...election, nodeId, capabilities, isGlobal: true }),
          DetectorClusterModule.forRoot(cluster),
        ],
        providers: [Plates],
      }),
    );
    await app.get(MasterElection).waitForElectionComplete();
    return app;
  };
  const master = await replica('master');
  await replica('unable', { canProcessDetections: false });
  await replica('small', { preferredWorkload: 20 });
  await replica('large', { preferredWorkload: 60 });
  const owners = async () => Object.values((await master.get(DetectorCluster).getState()).assignments);
  await eventually('partitions are shared as the processes prefer', 40_000, async () => {
    const all = await owners();
    return count(all, 'small') + count(all, 'large') === 32 && Math.abs(count(all, 'small') - 8) <= 3;
  });
});

it('ends with no handle left, also while a worker does not answer', async () => {
  const app = await start(
    Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({ ...anElection(), isGlobal: true }),
        DetectorClusterModule.forRoot({ ...aCluster(), workers: ['ws://127.0.0.1:9'] }),
      ],
    }),
  );
  await app.get(MasterElection).waitForElectionComplete();
  await app.close();
  await eventually(
    'every socket is closed',
    20_000,
    () => !process.getActiveResourcesInfo().includes('TCPSocketWrap'),
  );
});

it('calls decorated methods of any module under the fake', async () => {
  const app = await start(
    Test.createTestingModule({
      imports: [DetectorClusterTestingModule.register({ isGlobal: true }), FeatureModule],
    }),
  );
  const cluster = app.get(FakeDetectorCluster);
  await cluster.deliver({ subscriptionIdentifier: 'd1;c1', detection: { licensePlateText: 'ABC 1234' } });
  cluster.setWorker('ws://worker1:8000');
  cluster.setWorker('ws://worker1:8000', { online: false });
  expect(app.get(Plates)).toMatchObject({ seen: ['ABC 1234'], lost: ['ws://worker1:8000'] });
  expect(await (await (await serve(app))('/cluster')).json()).toMatchObject({ totalWorkers: 1 });
});
