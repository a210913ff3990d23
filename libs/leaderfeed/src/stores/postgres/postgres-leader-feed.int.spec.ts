import { randomUUID } from 'node:crypto';
import { startPgBouncer } from '@detector-cluster/dev-services';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { LeaderFeed } from '../../index.js';
import { describeLeaderFeed } from '../../test-support/describe-leader-feed.js';
import { postgresChannel } from './postgres-feed-store.js';

const url = process.env.DATABASE_URL!;

const through = (port: number) => {
  const address = new URL(url);
  address.host = `127.0.0.1:${port}`;
  return new pg.Pool({ connectionString: address.href, connectionTimeoutMillis: 2_000 });
};

describeLeaderFeed('Postgres', async () => {
  const server = Number(new URL(url).port);
  const table = `feed_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const proxy = await TcpProxy.to(server);
  const proxies = [proxy];
  const admin = new pg.Pool({ connectionString: url, max: 1 });
  const feed = (pool: pg.Pool, options: object) => {
    const made = new LeaderFeed.Postgres(pool, options);
    const start = made.start.bind(made);
    return Object.assign(made, { start: () => start({ table }) });
  };
  return {
    createFeed: (options) => feed(through(proxy.port), options),
    createBroken(options) {
      const pool = new pg.Pool({ host: '127.0.0.1', port: 1, database: 'postgres', user: 'postgres' });
      return {
        feed: feed(pool, options),
        heal: async () => {
          const healed = through(server);
          pool.connect = healed.connect.bind(healed);
        },
      };
    },
    cutConnections: async () => proxy.cutOnce(),
    change: () => admin.query(`SELECT pg_notify($1, 'something else')`, [postgresChannel(table, 'default')]),
    async dispose() {
      await admin.query(`DROP TABLE IF EXISTS ${table}`);
      await admin.end();
      await Promise.all(proxies.map((open) => open.stop()));
    },
  };
});

describe('LeaderFeed.Postgres', () => {
  it('names the invalid arguments', async () => {
    expect(() => new LeaderFeed.Postgres({} as never)).toThrow("pool must be a pool of 'pg'");
    expect(() => new LeaderFeed.Postgres(through(1), { mode: 'fast' as never })).toThrow(
      "mode must be 'classic' or 'strict', not \"fast\"",
    );
    const feed = new LeaderFeed.Postgres(through(1));
    await expect(feed.start({ table: '' })).rejects.toThrow(
      "start: table must be a name, for example { table: 'leaderfeed' }",
    );
  });

  it('shortens channels that would be too long', () => {
    expect(postgresChannel('leaderfeed', 'default')).toBe('leaderfeed:default');
    const long = 'x'.repeat(60);
    expect(postgresChannel(long, 'a')).not.toBe(postgresChannel(long, 'b'));
    expect(Buffer.byteLength(postgresChannel(long, 'a'))).toBeLessThanOrEqual(63);
  });

  it.each(['transaction', 'session'] as const)(
    'says that a pooler, which pools by %s, cannot carry its news',
    async (mode) => {
      const pooler = await startPgBouncer(url, { mode });
      const pool = through(pooler.port);
      const feed = new LeaderFeed.Postgres(pool);
      try {
        await expect(feed.start()).rejects.toThrow(/pooler such as PgBouncer.*direct address/);
        expect((await pool.query('select pg_listening_channels()')).rows).toEqual([]);
      } finally {
        await pool.end();
        await pooler.stop();
      }
    },
  );
});
