import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { MasterElection } from '../election/master-election.js';
import type { MasterElectionEvents } from '../shared/master-election-events.js';
import { MasterElectionModule } from '../master-election.module.js';
import { getMasterElectionToken } from '../election/get-master-election-token.js';
import { eventually } from '@detector-cluster/election/testing';
import { silentLogger } from '../test-support/silent-logger.js';
import { TEST_TIMING } from '../test-support/test-process.js';
import { electionEventName } from './forward-election-events.js';
import { MasterElectionEventEmitterModule } from './master-election-event-emitter.module.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

@Injectable()
class Listener {
  readonly heard: string[] = [];

  @OnEvent(electionEventName('election-started'))
  started(): void {
    this.heard.push('started');
  }

  @OnEvent(electionEventName('master-acquired'))
  acquired({ term, reason }: MasterElectionEvents['master-acquired'][0]): void {
    this.heard.push(`acquired ${typeof term} ${reason}`);
  }

  @OnEvent(electionEventName('master-lost'))
  lost({ reason }: MasterElectionEvents['master-lost'][0]): void {
    this.heard.push(`lost ${reason}`);
  }

  @OnEvent(electionEventName('master-acquired', 'reports'))
  acquiredReports(): void {
    this.heard.push('reports acquired');
  }

  @OnEvent(electionEventName('slave-removed'))
  removed(nodeId: string): void {
    this.heard.push(`removed ${nodeId}`);
  }

  @OnEvent(electionEventName('error'))
  failed({ message }: Error): void {
    this.heard.push(`error ${message}`);
  }
}

describe('events of elections on EventEmitter2', () => {
  it('reach @OnEvent methods from the first event on, in order, and under the name of their election', async () => {
    const options = { ...TEST_TIMING, redis: process.env.REDIS_URL!, lockName: `events-${randomUUID()}` };
    const app = await Test.createTestingModule({
      imports: [
        MasterElectionModule.forRoot(options),
        MasterElectionModule.forFeature({ name: 'reports' }),
        MasterElectionEventEmitterModule.register({ elections: ['default', 'reports'] }),
        EventEmitterModule.forRoot(),
      ],
      providers: [Listener],
    })
      .setLogger(silentLogger)
      .compile();
    const { heard } = app.get(Listener);
    const main = app.get(MasterElection);
    const reports = app.get(getMasterElectionToken('reports'), { strict: false });
    await app.init();
    await Promise.all([main.waitForElectionComplete(), reports.waitForElectionComplete()]);
    const registered = new Promise((resolve) => main.once('slave-registered', resolve));
    await main.registerProcess({
      processId: 'other',
      nodeId: 'other',
      role: 'slave',
      lastSeen: new Date().toISOString(),
      capabilities: { canProcessDetections: true, maxSubscriptions: 1, preferredWorkload: 1 },
    });
    await registered;
    await main.unregisterProcess('other');
    await eventually('removed', 10_000, () => heard.includes('removed other'));
    main.report(new Error('store away'));
    expect(main.listenerCount('error')).toBe(0);
    await app.close();
    // The election reports errors of its own on a server that has just started, or that a busy machine makes answer late.
    expect(heard.filter((event) => !/^reports acquired|^error (?!store away$)/.test(event))).toEqual([
      'started',
      'acquired number vacant',
      'removed other',
      'error store away',
      'lost stopped',
    ]);
    expect(heard.filter((event) => event === 'reports acquired')).toHaveLength(1);
    expect(main.eventNames()).toEqual([]);
    const redis = new Redis(process.env.REDIS_URL!);
    await redis.del(`${options.lockName}:term`, `${options.lockName}:reports:term`);
    redis.disconnect();
  });
});
