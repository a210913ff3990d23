import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { eventually } from '@detector-cluster/election/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RedisLeaderFeed } from '../stores/redis/redis-leader-feed.js';
import { MemoryFeed, MemoryRecord } from '../test-support/memory-feed.js';
import {
  FeedLeadership,
  getLeaderFeedOptionsToken,
  getLeaderFeedToken,
  InjectLeaderFeed,
  LeaderFeedModule,
  type LeaderFeedModuleOptions,
} from './index.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMES = { heartbeatIntervalMs: 200, electionTimeoutMinMs: 400, electionTimeoutMaxMs: 800 };
const TIMEOUT = 10_000;
const RETRY = /; starting again in \d/;
const memoryFeed = () => new MemoryFeed(new MemoryRecord(), { id: 'one' });
@Injectable()
class Work {
  constructor(
    readonly plain: FeedLeadership,
    @InjectLeaderFeed('reports') readonly reports: FeedLeadership,
    @Inject(getLeaderFeedOptionsToken()) readonly plainOptions: LeaderFeedModuleOptions,
    @Inject(getLeaderFeedOptionsToken('reports')) readonly reportsOptions: LeaderFeedModuleOptions,
  ) {}
}

@Module({ providers: [Work], exports: [Work] })
class WorkModule {}

describe('LeaderFeedModule', () => {
  let apps: TestingModule[];
  let channel: string;
  let warnings: string[];
  let errors: string[];
  beforeEach(() => {
    apps = [];
    channel = `{feed-${randomUUID()}}`;
    warnings = [];
    errors = [];
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    // Nest logs what a hook rejects with when the application ends, and rejects nothing itself.
    expect(errors.filter((line) => !RETRY.test(line))).toEqual([]);
  });
  const optionsFor = (id: string, url = process.env.REDIS_URL!): LeaderFeedModuleOptions => ({
    feed: new RedisLeaderFeed(url, { id, mode: 'strict', ...TIMES }),
    start: { channel },
  });
  const compile = async (imports: NonNullable<ModuleMetadata['imports']>) => {
    const app = await Test.createTestingModule({ imports })
      .setLogger({
        log() {},
        warn: (line: string) => warnings.push(line),
        error: (line: unknown) => errors.push(String(line)),
      })
      .compile();
    apps.push(app);
    return app;
  };
  const create = async (...imports: NonNullable<ModuleMetadata['imports']>) => {
    const app = await compile(imports);
    await app.init();
    return app;
  };

  it('starts the feed with the application, and gives up leadership with it', async () => {
    const options = optionsFor('one');
    const first = await create(LeaderFeedModule.forRoot(options));
    const one = first.get(FeedLeadership);
    await one.waitUntilStarted();
    await eventually('it leads', TIMEOUT, () => one.isLeader());
    expect([one.state, one.leader, one.term > 0, one.lease?.term]).toEqual(['leader', 'one', true, one.term]);
    const second = await create(LeaderFeedModule.forRootAsync({ useFactory: () => optionsFor('two') }));
    const two = second.get(FeedLeadership);
    await eventually('it follows', TIMEOUT, () => two.leader === 'one');
    expect([two.id, two.isLeader()]).toEqual(['two', false]);
    const leaders: string[] = [];
    two.on('new leader', (id) => leaders.push(id));
    const { term } = one;
    await first.close();
    expect([one.isLeader(), options.feed.status]).toEqual([false, 'stopped']);
    expect(options.feed.listenerCount('new leader')).toBe(0);
    await eventually('the other leads', TIMEOUT, () => two.isLeader());
    expect(leaders).toEqual(['two']);
    expect(two.term).toBeGreaterThan(term);
  });

  it('elects the configured node, by default its own', async () => {
    const [one, two] = [
      (await create(LeaderFeedModule.forRoot(optionsFor('one')))).get(FeedLeadership),
      (await create(LeaderFeedModule.forRoot(optionsFor('two')))).get(FeedLeadership),
    ];
    await Promise.all([one.waitUntilStarted(), two.waitUntilStarted()]);
    await eventually('a leader', TIMEOUT, () => one.leader !== null && two.leader !== null);
    for (const [caller, id, elected] of [
      [one, 'two', two],
      [one, undefined, one],
    ] as const) {
      await caller.elect(id);
      await eventually(`${elected.id} leads`, TIMEOUT, () => elected.isLeader());
    }
  });

  it('asks the lease in strict mode whether it may act, and the state in classic mode', async () => {
    const { feed } = optionsFor('one');
    let valid = true;
    Object.defineProperty(feed, 'isLeader', { value: true });
    Object.defineProperty(feed, 'lease', { value: { isValid: () => valid } });
    const strict = (await compile([LeaderFeedModule.forRoot({ feed })])).get(FeedLeadership);
    expect(strict.isLeader()).toBe(true);
    valid = false;
    expect(strict.isLeader()).toBe(false);
    const classic = memoryFeed();
    const plain = (await compile([LeaderFeedModule.forRoot({ feed: classic })])).get(FeedLeadership);
    expect([plain.isLeader(), plain.lease, plain.term]).toEqual([false, null, 0]);
    Object.defineProperty(classic, 'isLeader', { value: true });
    expect(plain.isLeader()).toBe(true);
  });

  it('passes events on until the listener is removed, and logs what fails', async () => {
    const feed = memoryFeed();
    const leadership = (await create(LeaderFeedModule.forRoot({ feed }))).get(FeedLeadership);
    const seen: unknown[] = [];
    const off = leadership.on('change', (change) => seen.push(change));
    feed.emit('change', 'first');
    off();
    feed.emit('change', 'second');
    expect(seen).toEqual(['first']);
    feed.emit('heartbeat error', new Error('slow'));
    expect(warnings).toEqual(['heartbeat error: slow']);
  });

  it('takes several feeds, each by name with its options, and a class that makes the options', async () => {
    const other = `${channel}-reports`;
    @Injectable()
    class Options {
      createLeaderFeedOptions(): LeaderFeedModuleOptions {
        return { ...optionsFor('one'), start: { channel: other } };
      }
    }
    const app = await create(
      WorkModule,
      LeaderFeedModule.forRoot({ ...optionsFor('one'), isGlobal: true }),
      LeaderFeedModule.forRootAsync({ name: 'reports', isGlobal: true, useClass: Options }),
    );
    const { plain, reports, plainOptions, reportsOptions } = app.get(Work);
    expect(reports).toBe(app.get(getLeaderFeedToken('reports'), { strict: false }));
    await eventually('both lead', TIMEOUT, () => plain.isLeader() && reports.isLeader());
    expect(plain).not.toBe(reports);
    expect(plainOptions.start).toEqual({ channel });
    expect(reportsOptions.start).toEqual({ channel: other });
  });

  it('lets the application start and end while the store is unavailable', async () => {
    const begun = performance.now();
    const app = await create(LeaderFeedModule.forRoot(optionsFor('one', 'redis://127.0.0.1:1')));
    expect(performance.now() - begun).toBeLessThan(5_000);
    const waiting = expect(app.get(FeedLeadership).waitUntilStarted()).rejects.toThrow(
      'the application ends',
    );
    await app.close();
    await waiting;
  });

  it('does not block onModuleInit: waiting for a start that has not begun rejects at once', async () => {
    let failure: unknown;
    @Injectable()
    class Impatient {
      constructor(private readonly leadership: FeedLeadership) {}
      async onModuleInit(): Promise<void> {
        failure = await this.leadership.waitUntilStarted().catch((error: unknown) => error);
      }
    }
    @Module({ imports: [LeaderFeedModule.forRoot({ feed: memoryFeed() })], providers: [Impatient] })
    class ImpatientModule {}
    const app = await create(ImpatientModule);
    expect(failure).toMatchObject({
      code: 'FEED_NOT_STARTED',
      message: expect.stringContaining('onApplicationBootstrap'),
    });
    await app.get(FeedLeadership, { strict: false }).waitUntilStarted();
  });

  it('reports that the feed of a lazily loaded module is not started', async () => {
    const feed = memoryFeed();
    const app = await create();
    const loaded = await app.get(LazyModuleLoader).load(() => LeaderFeedModule.forRoot({ feed }));
    await expect(loaded.get(FeedLeadership).waitUntilStarted()).rejects.toThrow(/loaded lazily/);
    expect(feed.status).toBe('stopped');
  });

  it('starts the feed again when its start failed', async () => {
    const feed = memoryFeed();
    let failures = 2;
    feed.faults.start = (done) => done(failures-- > 0 ? new Error('away') : undefined);
    const app = await create(LeaderFeedModule.forRoot({ feed }));
    await app.get(FeedLeadership).waitUntilStarted();
    expect(failures).toBe(-1);
    expect(errors).toEqual(['away; starting again in 0.25 s', 'away; starting again in 0.5 s']);
  });

  it('does not start the feed any more when the application ends between two attempts', async () => {
    const feed = memoryFeed();
    feed.faults.start = (done) => done(new Error('away'));
    const app = await create(LeaderFeedModule.forRoot({ feed }));
    await eventually('a failed start', TIMEOUT, () => errors.length > 0);
    await app.close();
    const { length } = feed.calls;
    await pause(600);
    expect([feed.calls.length, feed.status]).toEqual([length, 'stopped']);
  });

  it('stops a feed that is starting when the application ends', async () => {
    const feed = memoryFeed();
    let started!: () => void;
    feed.faults.start = (done) => (started = done);
    const app = await create(LeaderFeedModule.forRoot({ feed }));
    expect(feed.status).toBe('starting');
    const closing = app.close();
    await pause(50);
    started();
    await closing;
    expect(feed.status).toBe('stopped');
    expect(feed.calls).not.toContain('subscribe');
  });

  it('rejects a value that is not a feed', async () => {
    await expect(compile([LeaderFeedModule.forRoot({} as LeaderFeedModuleOptions)])).rejects.toThrow(
      /feed must be/,
    );
  });
});
