// The smallest application that has everything: one process is elected in two elections and sees itself in the registry, in the state
// of the cluster, in its health and in its metrics. It also uses the fake of unit tests. The check compiles and runs it against the
// packed libraries, outside of the repository.
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { DetectorCluster, DetectorClusterModule } from '@detector-cluster/detector-cluster';
import {
  DetectorClusterHealthIndicator,
  DetectorClusterHealthModule,
} from '@detector-cluster/detector-cluster/health';
import { DetectorClusterMetricsModule } from '@detector-cluster/detector-cluster/metrics';
import type { Lease } from '@detector-cluster/election';
import {
  getMasterElectionToken,
  MasterElection,
  MasterElectionModule,
} from '@detector-cluster/master-election';
import {
  electionEventName,
  MasterElectionEventEmitterModule,
} from '@detector-cluster/master-election/event-emitter';
import {
  MasterElectionHealthIndicator,
  MasterElectionHealthModule,
} from '@detector-cluster/master-election/health';
import { MasterElectionMetricsModule } from '@detector-cluster/master-election/metrics';
import { FakeMasterElection } from '@detector-cluster/master-election/testing';
import { encodeCommand, parseWorkerCommand } from '@detector-cluster/worker-protocol';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { register } from 'prom-client';

const redis = process.env.REDIS_URL;
if (!redis) throw new Error('REDIS_URL is not set');

let events = 0;

@Injectable()
class Listener {
  @OnEvent(electionEventName('master-acquired'))
  @OnEvent(electionEventName('master-acquired', 'reports'))
  acquired(): void {
    events++;
  }
}

@Module({
  imports: [
    MasterElectionModule.forRoot({ isGlobal: true, redis, timing: 'fast', identifier: 'packed' }),
    MasterElectionModule.forFeature({ name: 'reports' }),
    MasterElectionHealthModule,
    MasterElectionMetricsModule.register({ elections: ['default', 'reports'] }),
    MasterElectionEventEmitterModule.register({ elections: ['default', 'reports'] }),
    EventEmitterModule.forRoot(),
    DetectorClusterModule.forRoot({ redis }),
    DetectorClusterHealthModule,
    DetectorClusterMetricsModule.register(),
  ],
  providers: [Listener],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
const election = app.get(MasterElection);
const elected = await election.waitForElectionComplete(20_000);
await app.get(getMasterElectionToken('reports'), { strict: false }).waitForElectionComplete(20_000);
const role = await register.getSingleMetric('master_election_role')!.get();
// A master that has just begun may still be reading.
let clusterHealth = '';
for (const deadline = Date.now() + 15_000; clusterHealth !== 'up' && Date.now() < deadline; await sleep(100))
  clusterHealth = (await app.get(DetectorClusterHealthIndicator).isHealthy('cluster')).cluster.status;
const fake = new FakeMasterElection();
const { term: fakeTerm } = await fake.becomeMaster();
await fake.stop();
const lease: Lease | null = election.lease;
const result = {
  elected,
  master: election.getIsMaster(),
  term: election.term,
  leaseValid: lease?.isValid() ?? false,
  processes: (await election.getAllProcesses()).length,
  cluster: (await app.get(DetectorCluster).getState()) !== undefined,
  health: app.get(MasterElectionHealthIndicator).isHealthy('election').election.status,
  clusterHealth,
  clusterMetric: (await register.getSingleMetric('detector_cluster_detections_in_total')!.get()).values[0]
    ?.value,
  metric: role.values.find(({ labels }) => labels.election === 'reports')?.value,
  events,
  fake: fakeTerm,
  protocol: parseWorkerCommand(encodeCommand({ type: 'requestState' })).ok,
};
await app.close();
console.log(JSON.stringify(result));
