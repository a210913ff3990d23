import type { BenchBackend } from './bench-backend.js';
import { etcdBackend } from './kinds/etcd.js';
import { groupBackend } from './kinds/group.js';
import { mongoFeed } from './kinds/leaderfeed-mongodb.js';
import { postgresFeed } from './kinds/leaderfeed-postgres.js';
import { redisFeed } from './kinds/leaderfeed-redis.js';
import { rethinkFeed } from './kinds/leaderfeed-rethinkdb.js';
import { memoryBackend } from './kinds/memory.js';
import { postgresBackend } from './kinds/postgres.js';
import { redisBackend } from './kinds/redis.js';

/** All measured backends by name. Each loads its client when it is opened. */
export const benchBackends = {
  redis: redisBackend,
  etcd: etcdBackend,
  postgres: postgresBackend,
  memory: memoryBackend,
  'leaderfeed-redis': redisFeed,
  'leaderfeed-postgres': postgresFeed,
  'leaderfeed-mongodb': mongoFeed,
  'leaderfeed-rethinkdb': rethinkFeed,
  group: groupBackend,
} satisfies Record<string, BenchBackend>;

export type BackendName = keyof typeof benchBackends;

export function isBackendName(name: string): name is BackendName {
  return Object.hasOwn(benchBackends, name);
}

export function benchBackend(name: BackendName): BenchBackend {
  return benchBackends[name];
}
