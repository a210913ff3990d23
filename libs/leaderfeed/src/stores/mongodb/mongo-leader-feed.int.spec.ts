import { randomUUID } from 'node:crypto';
import { eventually } from '@detector-cluster/election/testing';
import { MongoClient, type Db } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { LeaderFeed } from '../../index.js';
import { describeLeaderFeed } from '../../test-support/describe-leader-feed.js';
import {
  mongoPort,
  mongoTargets,
  mongoUrlThrough,
  type MongoTarget,
} from '../../test-support/mongodb-servers.js';

const driver = { MongoClient };

describe.each(mongoTargets)('%s', (_name, start) => {
  let target: MongoTarget;
  let client: MongoClient;
  let db: Db;
  beforeAll(async () => {
    target = await start();
    client = new MongoClient(target.url);
    db = client.db();
  });
  afterAll(async () => {
    await client.close();
    await target.stop();
  });

  describeLeaderFeed('MongoDB', async () => {
    const collection = `feed-${randomUUID()}`;
    const proxy = await TcpProxy.to(mongoPort(target.url));
    const feed = (url: string, options: object) => {
      const made = new LeaderFeed.MongoDB(driver, url, options);
      const begin = made.start.bind(made);
      return Object.assign(made, { start: () => begin({ collection }) });
    };
    return {
      createFeed: (options) => feed(mongoUrlThrough(target.url, proxy.port), options),
      createBroken(options) {
        const source = { port: 1 };
        const LateClient = class extends MongoClient {
          constructor(_url: string, given: object) {
            super(mongoUrlThrough(target.url, source.port), given);
          }
        };
        const made = new LeaderFeed.MongoDB({ MongoClient: LateClient as never }, target.url, options);
        const begin = made.start.bind(made);
        return {
          feed: Object.assign(made, { start: () => begin({ collection }) }),
          heal: async () => {
            source.port = proxy.port;
          },
        };
      },
      cutConnections: async () => proxy.cutOnce(),
      change: () => db.collection(collection).insertOne({ order: 1 }),
      async dispose() {
        await proxy.stop();
        await db.dropCollection(collection);
        await db.dropCollection(`${collection}.lease`);
      },
    };
  });

  describe('LeaderFeed.MongoDB', () => {
    it('uses a given database and leaves its client open', async () => {
      const collection = `feed-${randomUUID()}`;
      const feed = new LeaderFeed.MongoDB(db, { heartbeatIntervalMs: 50, collectionMaxDocs: 5 });
      await feed.start({ collection });
      expect(feed.db).toBe(db);
      expect(feed.collection!.collectionName).toBe(collection);
      await eventually('it leads', 15_000, () => feed.isLeader);
      await feed.stop();
      expect(feed.db).toBeUndefined();
      expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
      const [made] = await db.listCollections({ name: collection }).toArray();
      expect(made).toMatchObject({ options: { capped: true } });
      await db.dropCollection(collection);
      await db.dropCollection(`${collection}.lease`);
    });

    it('does not follow a dead leader whose records the collection still holds', async () => {
      const collection = `feed-${randomUUID()}`;
      const options = { heartbeatIntervalMs: 50 };
      const dead = new LeaderFeed.MongoDB(db, { ...options, id: 'dead' });
      await dead.start({ collection });
      await eventually('it leads', 15_000, () => dead.isLeader);
      await eventually(
        'it has beaten',
        15_000,
        async () => (await db.collection(collection).find({}).toArray()).length > 4,
      );
      await dead.stop();
      for (const id of ['dead', 'new']) {
        const feed = new LeaderFeed.MongoDB(db, { id, heartbeatIntervalMs: 5_000 });
        const leaders: string[] = [];
        feed.on('new leader', (leader) => leaders.push(leader));
        await feed.start({ collection });
        await sleep(300);
        expect([feed.leader, feed.isLeader, leaders]).toEqual([null, false, []]);
        await feed.stop();
      }
      await db.dropCollection(collection);
      await db.dropCollection(`${collection}.lease`);
    });

    it('rejects a collection that cannot be followed', async () => {
      const collection = `orders-${randomUUID()}`;
      await db.collection(collection).insertOne({ order: 1 });
      const feed = new LeaderFeed.MongoDB(db);
      await expect(feed.start({ collection })).rejects.toThrow(
        'is not capped, so that it cannot be followed',
      );
      expect(feed.status).toBe('stopped');
      await db.dropCollection(collection);
    });
  });
});

describe('LeaderFeed.MongoDB', () => {
  it.each([
    [() => new LeaderFeed.MongoDB({} as never), "give the module 'mongodb' and a URL"],
    [() => new LeaderFeed.MongoDB(driver, 'http://x'), 'url must begin with mongodb://'],
    [
      () => new LeaderFeed.MongoDB(driver, 'mongodb://h', { collectionMaxDocs: 0 }),
      'collectionMaxDocs must be a positive whole number',
    ],
    [() => new LeaderFeed.MongoDB(driver, 'mongodb://h', { heartbeatIntervalMs: -1 }), 'heartbeatIntervalMs'],
  ])('names the problem of its arguments (%#)', (make, message) => {
    expect(make).toThrow(message);
  });

  it('needs the name of a collection', async () => {
    await expect(new LeaderFeed.MongoDB(driver, 'mongodb://h').start({} as never)).rejects.toThrow(
      "start: collection must be a name, for example { collection: 'leaderfeed' }",
    );
  });
});
