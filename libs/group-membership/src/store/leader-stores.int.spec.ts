import { randomUUID } from 'node:crypto';
import {
  startEtcd,
  startMemcached,
  startPgBouncer,
  startPostgres,
  startRedis,
  type GuardedServer,
  withPostgres,
} from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryLeaderStore } from './leader-store.js';
import { describeLeaderStore } from '../testing/describe-leader-store.js';
import { EtcdLeaderStore } from './etcd-leader-store.js';
import { MemcachedLeaderStore } from './memcached-leader-store.js';
import { PostgresLeaderStore } from './postgres-leader-store.js';
import { RedisLeaderStore } from './redis-leader-store.js';

describeLeaderStore('memory', () => {
  const store = new MemoryLeaderStore();
  return Promise.resolve({
    createStore: () => store,
    spoil: (text) => store.write(text),
    dispose: () => Promise.resolve(),
  });
});

type Server = Pick<GuardedServer, 'url' | 'kill' | 'start' | 'stop'>;
type Store =
  MemoryLeaderStore | RedisLeaderStore | MemcachedLeaderStore | EtcdLeaderStore | PostgresLeaderStore;

/** The pooler is what ends and starts again. */
async function startPooledPostgres(mode: 'transaction' | 'session'): Promise<Server> {
  const postgres = await startPostgres();
  const pooler = await startPgBouncer(postgres.url, { mode });
  return {
    url: pooler.url,
    kill: () => pooler.kill(),
    start: () => pooler.start(),
    stop: async () => {
      await pooler.stop();
      await postgres.stop();
    },
  };
}

type Kind = [name: string, start: () => Promise<Server>, open: (url: string, key: string) => Store];

const KINDS: Kind[] = [
  ['redis', startRedis, (url, key) => new RedisLeaderStore({ redis: url, key })],
  ['memcached', startMemcached, (url, key) => new MemcachedLeaderStore({ server: url, key })],
  ['etcd', startEtcd, (url, key) => new EtcdLeaderStore({ etcd: { endpoints: url }, key })],
  ['postgres', startPostgres, (url, key) => new PostgresLeaderStore({ connectionString: url, key })],
  ...(['transaction', 'session'] as const).map((mode): Kind => [
    `postgres through PgBouncer that pools by ${mode}`,
    () => startPooledPostgres(mode),
    (url, key) => new PostgresLeaderStore({ connectionString: url, key }),
  ]),
];

describe.each(KINDS)('a real server of %s', (name, start, open) => {
  let server: Server;
  beforeAll(async () => {
    server = await start();
  }, 120_000);
  afterAll(() => server.stop());

  describeLeaderStore(
    name,
    () => {
      const key = `leader:${randomUUID()}`;
      return Promise.resolve({
        createStore: () => open(server.url, key),
        spoil: async (text) => {
          const store = open(server.url, key);
          await store.swap(null, text);
          await store.cleanup();
        },
        kill: () => server.kill(),
        revive: () => server.start(),
        dispose: () => Promise.resolve(),
      });
    },
    { restarts: true },
  );
});

describe('the store of etcd', () => {
  it.each([
    [{ endpoints: [] }, /endpoints must name at least one/],
    [{ endpoints: 'etcd:2379' }, /endpoints must be http/],
  ])('refuses %j', (etcd, message) => {
    expect(() => new EtcdLeaderStore({ etcd })).toThrow(message);
  });

  it('uses another member when one is unavailable', async () => {
    const server = await startEtcd();
    const endpoints = ['http://127.0.0.1:1', server.url];
    // Each begins with a member at random.
    const stores = Array.from({ length: 16 }, () => new EtcdLeaderStore({ etcd: { endpoints } }));
    try {
      for (const store of stores) expect(await store.read()).toBeNull();
    } finally {
      for (const store of stores) await store.cleanup();
      await server.stop();
    }
  }, 60_000);
});

describe('the store of PostgreSQL', () => {
  it.each([
    [{ connectionString: 'postgres://x', table: 'a b' }, /table must be a name/],
    [{}, /connectionString or pool must be given/],
  ])('refuses %j', (options, message) => {
    expect(() => new PostgresLeaderStore(options)).toThrow(message);
  });
});

describe('PostgresLeaderStore', () => {
  it('keeps the records of two schemas apart', async () => {
    const postgres = await startPostgres();
    try {
      const url = await postgres.createDatabase('schemas');
      await withPostgres(url, (client) => client.query('create schema "One"; create schema two'));
      const stores = ['One', 'two'].map(
        (schema) => new PostgresLeaderStore({ connectionString: `${url}?schema=${schema}` }),
      );
      expect(await Promise.all(stores.map((store) => store.swap(null, 'record')))).toEqual([true, true]);
      await Promise.all(stores.map((store) => store.cleanup()));
    } finally {
      await postgres.stop();
    }
  });

  it('names the parameters of its URL that cannot be used', () => {
    expect(() => new PostgresLeaderStore({ connectionString: 'postgresql://h/d?sslmod=x' })).toThrow(
      'sslmod: is not known; did you mean sslmode?',
    );
  });
});
