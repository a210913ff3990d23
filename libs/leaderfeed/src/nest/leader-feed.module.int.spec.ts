import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RedisLeaderFeed } from '../stores/redis/redis-leader-feed.js';
import {
  FeedLeadership,
  getLeaderFeedToken,
  InjectLeaderFeed,
  LeaderFeedModule,
  type LeaderFeedModuleOptions,
} from './index.js';

jest.setTimeout(60_000);

const TIMES = { heartbeatIntervalMs: 200, electionTimeoutMinMs: 400, electionTimeoutMaxMs: 800 };

@Injectable()
class Work {
  constructor(@InjectLeaderFeed('reports') readonly reports: FeedLeadership) {}
}

describe('LeaderFeedModule', () => {
  let apps: TestingModule[];
  let channel: string;
  beforeEach(() => {
    apps = [];
    channel = `{feed-${randomUUID()}}`;
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
  });
  const optionsFor = (id: string, url = process.env.REDIS_URL!): LeaderFeedModuleOptions => ({
    feed: new RedisLeaderFeed(url, { id, mode: 'strict', ...TIMES }),
    start: { channel },
  });
  const create = async (imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>) => {
    const app = await Test.createTestingModule({ imports, providers: [] })
      .setLogger({ log() {}, warn() {}, error() {} })
      .compile();
    apps.push(app);
    await app.init();
    return app;
  };

  it('starts the feed with the application, and gives up leadership with it', async () => {
    const first = await create([LeaderFeedModule.forRoot(optionsFor('one'))]);
    const one = first.get(FeedLeadership);
    await one.waitUntilStarted();
    await eventually('it leads', 10_000, () => one.isLeader());
    expect([one.state, one.leader, one.term > 0, one.lease?.term]).toEqual(['leader', 'one', true, one.term]);
    const second = await create([
      LeaderFeedModule.forRootAsync({ isGlobal: true, useFactory: () => optionsFor('two') }),
    ]);
    const two = second.get(FeedLeadership, { strict: false });
    await eventually('it follows', 10_000, () => two.leader === 'one');
    expect(two.isLeader()).toBe(false);
    const leaders: string[] = [];
    const off = two.on('new leader', (id) => leaders.push(id));
    const { term } = one;
    await first.close();
    await eventually('the other leads', 10_000, () => two.isLeader());
    off();
    expect(leaders).toEqual(['two']);
    expect(two.term).toBeGreaterThan(term);
    expect(one.isLeader()).toBe(false);
  });

  it('takes several feeds by name', async () => {
    const reports = { name: 'reports', isGlobal: true, ...optionsFor('one') };
    const app = await Test.createTestingModule({
      imports: [LeaderFeedModule.forRoot(reports)],
      providers: [Work],
    }).compile();
    apps.push(app);
    expect(app.get(Work).reports).toBe(app.get(getLeaderFeedToken('reports'), { strict: false }));
    expect(() => app.get(FeedLeadership, { strict: false })).toThrow();
  });

  it('lets the application start and end while the store is unavailable', async () => {
    const begun = performance.now();
    const app = await create([LeaderFeedModule.forRoot(optionsFor('one', 'redis://127.0.0.1:1'))]);
    expect(performance.now() - begun).toBeLessThan(1_000);
    const waiting = expect(app.get(FeedLeadership).waitUntilStarted()).rejects.toThrow(
      'the application ends',
    );
    await app.close();
    await waiting;
  });

  it('starts the feed again when its start failed', async () => {
    const options = optionsFor('one');
    let failures = 2;
    const start = options.feed.start.bind(options.feed);
    options.feed.start = ((given: object) =>
      failures-- > 0 ? Promise.reject(new Error('away')) : start(given)) as typeof start;
    const app = await create([LeaderFeedModule.forRoot(options)]);
    await app.get(FeedLeadership).waitUntilStarted();
    expect(failures).toBe(-1);
  });

  it('rejects a value that is not a feed', async () => {
    await expect(create([LeaderFeedModule.forRoot({} as LeaderFeedModuleOptions)])).rejects.toThrow(
      /feed must be/,
    );
  });
});
