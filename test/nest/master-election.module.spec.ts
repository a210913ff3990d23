import { expect, it } from '@jest/globals';
import {
  MasterElection,
  MasterElectionModule,
  type MasterElectionOptions,
  MasterOnly,
  OnMasterAcquired,
  OnMasterLost,
} from '@detector-cluster/master-election';
import { FakeMasterElection } from '@detector-cluster/master-election/testing';
import { Controller, Get, type INestApplication, Injectable, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { anElection, serve, start } from './application.js';

@Controller()
class StatusController {
  constructor(private readonly election: MasterElection) {}

  @Get('status')
  status() {
    return { id: this.election.getNodeId(), master: this.election.getIsMaster() };
  }

  @MasterOnly()
  @Get('master-only')
  masterOnly() {
    return { term: this.election.term };
  }
}

@Injectable()
class Work {
  readonly calls: string[] = [];

  @OnMasterAcquired()
  begin() {
    this.calls.push('acquired');
  }

  @OnMasterLost()
  end() {
    this.calls.push('lost');
  }
}

@Module({ controllers: [StatusController], providers: [Work], exports: [Work] })
class FeatureModule {}

const waitForElection = (app: INestApplication) => app.get(MasterElection).waitForElectionComplete();

it('injects a global election into the controllers of other modules', async () => {
  const app = await start(
    Test.createTestingModule({
      imports: [MasterElectionModule.forRoot({ ...anElection(), isGlobal: true }), FeatureModule],
    }),
  );
  expect(await waitForElection(app)).toBe(true);
  const fetchPath = await serve(app);
  const election = app.get(MasterElection);
  expect(await (await fetchPath('/status')).json()).toEqual({ id: election.getNodeId(), master: true });
  expect(await (await fetchPath('/master-only')).json()).toEqual({ term: election.term });
  expect(app.get(Work).calls).toEqual(['acquired']);
});

it('takes its options from ConfigService', async () => {
  const settings = anElection();
  const app = await start(
    Test.createTestingModule({
      imports: [
        ConfigModule.forRoot({
          isGlobal: true,
          ignoreEnvFile: true,
          load: [() => ({ ELECTION_REDIS: settings.redis, ELECTION_LOCK: settings.lockName })],
        }),
        MasterElectionModule.forRootAsync({
          isGlobal: true,
          inject: [ConfigService],
          useFactory: (config: ConfigService): MasterElectionOptions => ({
            redis: config.getOrThrow('ELECTION_REDIS'),
            lockName: config.getOrThrow('ELECTION_LOCK'),
            timing: 'fast',
            nodeId: 'configured',
          }),
        }),
        FeatureModule,
      ],
    }),
  );
  expect(await waitForElection(app)).toBe(true);
  expect(app.get(MasterElection).getNodeId()).toBe('configured');
});

it('hands over to another replica when the application closes', async () => {
  const options = anElection();
  const replica = () =>
    start(
      Test.createTestingModule({
        imports: [MasterElectionModule.forRoot({ ...options, isGlobal: true }), FeatureModule],
      }),
    );
  const first = await replica();
  expect(await waitForElection(first)).toBe(true);
  const second = await replica();
  expect(await waitForElection(second)).toBe(false);
  const fetchPath = await serve(second);
  expect((await fetchPath('/master-only')).status).toBe(503);

  const acquired = new Promise((resolve) => second.get(MasterElection).once('master-acquired', resolve));
  const work = first.get(Work);
  await first.close();
  await acquired;
  expect(work.calls).toEqual(['acquired', 'lost']);
  expect((await fetchPath('/master-only')).status).toBe(200);
});

it('connects to nothing when a fake takes the place of its provider', async () => {
  const election = new FakeMasterElection();
  const app = await start(
    Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot({ redis: 'redis://host.invalid:6379', isGlobal: true }),
        FeatureModule,
      ],
    })
      .overrideProvider(MasterElection)
      .useValue(election),
  );
  await election.becomeMaster();
  await election.loseMaster('expired');
  expect(app.get(Work).calls).toEqual(['acquired', 'lost']);
});

it('refuses to start with wrong options, and names all of them', async () => {
  const wrong = { redis: 'http://localhost', lockTTL: 5 } as unknown as MasterElectionOptions;
  const started = start(Test.createTestingModule({ imports: [MasterElectionModule.forRoot(wrong)] }));
  await expect(started).rejects.toThrow(/lockTTL[\s\S]*redis|redis[\s\S]*lockTTL/);
});
