import { randomUUID } from 'node:crypto';
import { startMemcached, startRedis, type GuardedServer } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe } from 'vitest';
import { MemoryLeaderStore } from './memory-leader-store.js';
import { describeLeaderStore } from '../testing/describe-leader-store.js';
import { MemcachedLeaderStore } from './memcached-leader-store.js';
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
type Store = MemoryLeaderStore | RedisLeaderStore | MemcachedLeaderStore;

type Kind = [name: string, start: () => Promise<Server>, open: (url: string, key: string) => Store];

const KINDS: Kind[] = [
  ['redis', startRedis, (url, key) => new RedisLeaderStore({ redis: url, key })],
  ['memcached', startMemcached, (url, key) => new MemcachedLeaderStore({ server: url, key })],
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
