import { setTimeout as sleep } from 'node:timers/promises';
import { LeadershipLostError } from '@detector-cluster/election';
import { Injectable, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  OnMasterAcquired,
  OnMasterResumed,
  OnMasterSuspended,
} from '../leader-work/leader-work.decorators.js';
import { ElectionStoppedError, UnknownProcessError } from '../shared/errors.js';
import { MasterElection } from '../election/master-election.js';
import { MasterElectionModule } from '../master-election.module.js';
import { InjectMasterElection } from '../election/get-master-election-token.js';
import { silentLogger } from '../test-support/silent-logger.js';
import { FakeMasterElection } from './fake-master-election.js';
import { MasterElectionTestingModule } from './master-election-testing.module.js';

Logger.overrideLogger(false);

/** Work of an application that only the master does. */
@Injectable()
class Reporter {
  readonly log: string[] = [];

  constructor(private readonly election: MasterElection) {
    election.on('master-acquired', ({ term, reason }) => this.log.push(`acquired ${term} ${reason}`));
    election.on('master-lost', ({ term, reason }) => this.log.push(`lost ${term} ${reason}`));
    election.on('election-completed', (isMaster) => this.log.push(`completed ${isMaster}`));
    election.on('slave-registered', ({ nodeId }) => this.log.push(`joined ${nodeId}`));
    election.on('slave-removed', (nodeId) => this.log.push(`left ${nodeId}`));
  }

  report(): boolean {
    return this.election.lease?.isValid() ?? false;
  }

  @OnMasterAcquired()
  begin(): void {
    this.log.push('begin');
  }

  @OnMasterSuspended()
  suspended({ term }: { term: number }): void {
    this.log.push(`suspended ${term}, may act: ${this.report()}`);
  }

  @OnMasterResumed()
  resumed({ term }: { term: number }): void {
    this.log.push(`resumed ${term}, may act: ${this.report()}`);
  }
}

describe('FakeMasterElection', () => {
  let election: FakeMasterElection;
  let reporter: Reporter;
  beforeEach(() => {
    election = new FakeMasterElection({ identifier: 'test', nodeId: 'me' });
    reporter = new Reporter(election);
  });
  afterEach(() => election.stop());

  it('is assignable to the type of the real one', () => {
    const real: MasterElection = election;
    expect(real).toBeInstanceOf(MasterElection);
  });

  it('becomes master, loses the role for any reason, and becomes master again in a later term', async () => {
    const first = await election.becomeMaster();
    expect([reporter.report(), election.getIsMaster(), first.isValid(), first.term]).toEqual([
      true,
      true,
      true,
      1,
    ]);
    expect(await election.becomeMaster()).toBe(first);
    await election.loseMaster('expired');
    expect([reporter.report(), election.getIsMaster(), first.isValid()]).toEqual([false, false, false]);
    expect(first.signal.aborted).toBe(true);
    await expect(first.ready()).rejects.toThrow(LeadershipLostError);
    await election.loseMaster();
    expect((await election.becomeMaster('absent')).term).toBe(2);
    expect(reporter.log).toEqual([
      'acquired 1 vacant',
      'completed true',
      'lost 1 expired',
      'acquired 2 absent',
      'completed true',
    ]);
  });

  it('suspends and resumes the same term', async () => {
    const lease = await election.becomeMaster();
    await election.suspend();
    expect([reporter.report(), election.getIsMaster(), lease.signal.aborted]).toEqual([false, true, false]);
    expect(election.getStatus()).toMatchObject({ role: 'master', mayAct: false });
    let ready = false;
    const waiting = lease.ready().then(() => (ready = true));
    await Promise.resolve();
    expect(ready).toBe(false);
    await election.resume();
    await waiting;
    expect([lease.isValid(), election.lease]).toEqual([true, lease]);
  });

  it('waits for work under the lease when it hands over', async () => {
    const lease = await election.becomeMaster();
    const order: string[] = [];
    lease.waitUntil(
      (async () => {
        while (!lease.signal.aborted) await sleep(1);
        await sleep(20);
        order.push('work ended');
      })(),
    );
    await election.resign();
    order.push('handed over');
    expect(order).toEqual(['work ended', 'handed over']);
    expect(reporter.log.at(-1)).toBe('lost 1 resigned');
    expect((await election.becomeMaster()).term).toBe(2);
  });

  it('becomes master again after work that outlasted its term', async () => {
    const lease = await election.becomeMaster();
    lease.waitUntil(sleep(20));
    await election.loseMaster();
    expect((await election.becomeMaster()).term).toBe(2);
  });

  it('follows other masters', async () => {
    await election.followMaster('a');
    expect(await election.waitForElectionComplete(0)).toBe(false);
    expect((await election.getMasterProcess())?.nodeId).toBe('a');
    await election.followMaster('b');
    expect((await election.getMasterProcess())?.nodeId).toBe('b');
    expect((await election.getSlaves()).map(({ nodeId }) => nodeId).sort()).toEqual(['a', 'me']);
    await election.becomeMaster();
    await election.followMaster('a');
    expect(reporter.log).toEqual([
      'completed false',
      'acquired 3 vacant',
      'joined a',
      'joined b',
      'lost 3 refused',
      'completed false',
    ]);
  });

  it('reports slaves to a master, including those that joined before its term', async () => {
    await election.addSlave({ nodeId: 'early', metadata: { zone: 'a' } });
    await election.becomeMaster();
    await election.addSlave({ nodeId: 'late' });
    await election.addSlave({ nodeId: 'late' });
    await election.removeSlave('early');
    await election.removeSlave('early');
    expect(reporter.log.slice(2)).toEqual(['joined early', 'joined late', 'left early']);
    expect(await election.getSlaveCount()).toBe(1);
    expect(await election.getSlave('late')).toMatchObject({ identifier: 'fake' });
    await expect(election.updateProcessHeartbeat('early')).rejects.toThrow(UnknownProcessError);
    election.setMetadata({ zone: 'b' });
    expect((await election.getMasterProcess())?.metadata).toEqual({ zone: 'b' });
  });

  it('reports a failure of the store, and continues', async () => {
    const errors: string[] = [];
    election.on('error', ({ message }) => errors.push(message));
    const lease = await election.becomeMaster();
    await election.fail(new Error('away'));
    expect([errors, lease.isValid()]).toEqual([['away'], true]);
    expect(election.getStatus().storeFailingFor).not.toBeNull();
    await election.loseMaster();
    expect(election.getStatus().storeFailingFor).toBeNull();
  });

  it('runs work once, and again if it failed', async () => {
    await expect(election.runOnce('migrate', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const run = () => election.runOnce('migrate', ({ term }) => expect(term).toBe(1));
    expect(await Promise.all([run(), run(), run()])).toEqual([true, false, false]);
    expect(await run()).toBe(false);
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const aborted = election.runOnce('endless', async ({ signal }) => {
      begin();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const refused = expect(aborted).rejects.toThrow(LeadershipLostError);
    await begun;
    await election.stop();
    await refused;
    await expect(election.runOnce('late', () => undefined)).rejects.toThrow(ElectionStoppedError);
  });

  it('stops like the real one', async () => {
    const lease = await election.becomeMaster();
    await election.stop();
    expect([lease.signal.aborted, reporter.log.at(-1)]).toEqual([true, 'lost 1 stopped']);
    await expect(election.getAllProcesses()).rejects.toThrow(ElectionStoppedError);
    await expect(election.becomeMaster()).rejects.toThrow(ElectionStoppedError);
  });
});

@Injectable()
class Mailer {
  constructor(@InjectMasterElection('mails') readonly election: MasterElection) {}
}

describe('FakeMasterElection in an application', () => {
  it('is provided by the testing module, works with decorators, and ends with the application', async () => {
    const app = await Test.createTestingModule({
      imports: [
        MasterElectionTestingModule.register({ isGlobal: true }),
        MasterElectionTestingModule.register({ name: 'mails' }),
      ],
      providers: [Reporter, Mailer],
    })
      .setLogger(silentLogger)
      .compile();
    await app.init();
    const election = app.get<FakeMasterElection>(MasterElection);
    const mails = app.get(Mailer).election as FakeMasterElection;
    expect([election.name, mails.name]).toEqual(['default', 'mails']);
    await election.becomeMaster();
    const { log } = app.get(Reporter);
    expect(log).toContain('begin');
    await election.suspend();
    await election.resume();
    expect(log.slice(-2)).toEqual(['suspended 1, may act: false', 'resumed 1, may act: true']);
    expect(mails.getIsMaster()).toBe(false);
    await app.close();
    expect(log.at(-1)).toBe('lost 1 stopped');
  });

  it('overrides the real one', async () => {
    const app = await Test.createTestingModule({
      imports: [MasterElectionModule.forRoot({ redis: 'redis://127.0.0.1:1' })],
      providers: [Reporter],
    })
      .overrideProvider(MasterElection)
      .useValue(new FakeMasterElection())
      .setLogger(silentLogger)
      .compile();
    await app.init();
    await app.get<FakeMasterElection>(MasterElection).becomeMaster();
    expect(app.get(Reporter).report()).toBe(true);
    await app.close();
    expect(app.get(Reporter).report()).toBe(false);
  });
});
