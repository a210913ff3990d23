import { randomUUID } from 'node:crypto';
import { eventually } from '@detector-cluster/election/testing';
import { r } from 'rethinkdb-ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { LeaderFeed } from '../../index.js';
import { describeLeaderFeed } from '../../test-support/describe-leader-feed.js';
import {
  addressOf,
  dropDatabase,
  dropTable,
  rethinkTargets,
  type RethinkTarget,
} from '../../test-support/rethinkdb-servers.js';

const newTable = () => `feed_${randomUUID().replaceAll('-', '')}`;

describe.each(rethinkTargets)('%s', (_name, start) => {
  let target: RethinkTarget;
  /** Through a proxy on this machine, or directly. */
  const at = (port?: number) => ({
    ...target.address,
    ...(port !== undefined && { host: '127.0.0.1', port }),
  });
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.stop());

  describeLeaderFeed('RethinkDB', async () => {
    const table = newTable();
    const proxy = await TcpProxy.to(target.address);
    const feed = (driver: typeof r, port: number, options: object) => {
      const made = new LeaderFeed.RethinkDB(driver, 'test', { ...at(port), ...options });
      const begin = made.start.bind(made);
      return Object.assign(made, { start: () => begin({ table }) });
    };
    return {
      createFeed: (options) => feed(r, proxy.port, options),
      createBroken(options) {
        let port: number | undefined = 1;
        const late = Object.create(r) as typeof r;
        late.connect = (given: object) => r.connect({ ...given, ...at(port) });
        return {
          feed: feed(late, 1, options),
          heal: async () => {
            port = undefined;
          },
        };
      },
      cutConnections: async () => proxy.cutOnce(),
      async change() {
        const connection = await r.connect({ ...at(), silent: true });
        await r.table(table).insert({ id: 'order', amount: 1 }).run(connection);
        await connection.close();
      },
      async dispose() {
        await proxy.stop();
        await dropTable(target, table);
      },
    };
  });

  describe('LeaderFeed.RethinkDB', () => {
    it('creates the database and the table, and exposes them', async () => {
      const db = `db_${randomUUID().replaceAll('-', '')}`;
      const feed = new LeaderFeed.RethinkDB(r, db, { ...at(), heartbeatIntervalMs: 50 });
      expect([feed.r, feed.connection, feed.table]).toEqual([r, undefined, undefined]);
      await feed.start({ table: 'orders' });
      expect(feed.connection!.open).toBe(true);
      expect(await feed.db.tableList().run(feed.connection!)).toEqual(['orders']);
      await eventually('it leads', 15_000, () => feed.isLeader);
      const record = (await feed.table!.get('leaderfeed').run(feed.connection!)) as {
        leader: string;
        at: number;
      };
      expect(record.leader).toBe(feed.id);
      expect(Math.abs(record.at - Date.now())).toBeLessThan(60_000);
      await feed.stop();
      expect(feed.connection).toBeUndefined();
      await dropDatabase(target, db);
    });

    it('uses a given connection and leaves it open', async () => {
      const table = newTable();
      const connection = await r.connect({ ...at(), silent: true });
      const feed = new LeaderFeed.RethinkDB(r, { heartbeatIntervalMs: 50 });
      await feed.start({ table, connection });
      expect(feed.connection).toBe(connection);
      await eventually('it leads', 15_000, () => feed.isLeader);
      await feed.stop();
      expect(connection.open).toBe(true);
      await connection.close();
      await dropTable(target, table);
    });

    it('fails to start with a wrong password', async () => {
      const options = { ...at(), password: `${target.address.password} or not` };
      const feed = new LeaderFeed.RethinkDB(r, 'test', options);
      await expect(feed.start({ table: newTable() })).rejects.toThrow(/password/i);
      expect(feed.status).toBe('stopped');
    });
  });
});

describe('the address of RETHINKDB_URL', () => {
  it('contains all parts of the URL, decoded', () => {
    expect(addressOf('rethinkdb://app:p%40ss%2Fword@db-1:28016')).toEqual({
      host: 'db-1',
      port: 28_016,
      user: 'app',
      password: 'p@ss/word',
    });
    expect(addressOf('rethinkdb://localhost')).toEqual({
      host: 'localhost',
      port: 28_015,
      user: 'admin',
      password: '',
    });
  });
});

describe('LeaderFeed.RethinkDB', () => {
  it('names the invalid arguments', async () => {
    expect(() => new LeaderFeed.RethinkDB({} as never)).toThrow("driver must be `r` of 'rethinkdb-ts'");
    const pooled = { connect: () => undefined, _poolMaster: {} };
    for (const driver of [() => undefined, Object.assign(() => undefined, pooled)])
      expect(() => new LeaderFeed.RethinkDB(driver as never)).toThrow(
        "rethinkdbdash is not supported: pass `r` of its successor rethinkdb-ts, which has the same queries: import { r } from 'rethinkdb-ts'",
      );
    expect(() => new LeaderFeed.RethinkDB(r, { heartbeatIntervalMs: 0 })).toThrow('heartbeatIntervalMs');
    await expect(new LeaderFeed.RethinkDB(r).start({} as never)).rejects.toThrow(
      "start: table must be a name, for example { table: 'leaderfeed' }",
    );
  });
});
