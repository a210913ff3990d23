import type { ElectionBackend } from '@detector-cluster/election';
import type { GroupElectionBackend } from '@detector-cluster/group-membership/backend';
import type { RedisLeaderStore } from '@detector-cluster/group-membership/redis';
import type { Pool } from 'pg';
import { sum } from '../support/percentile.js';
import { STORE_VARIABLES, type StoreKind } from './bench-stores.js';

export interface ElectionSetting {
  /** URL of the store. */
  readonly url: string;
  /** Name of the election. */
  readonly lock: string;
}

/** One election with its members in this process. */
export interface BenchElection {
  /** Creates one more candidate. */
  member(): ElectionBackend;
  /** Messages of the members so far, except those to the store over a network. Default none. */
  sent?(): number;
  /** Closes the members' shared resources after the members. */
  close?(): Promise<unknown>;
}

/** How a backend is measured, with its defaults. */
export interface BenchBackend {
  /** `null`: it elects within one process. */
  readonly store: StoreKind | null;
  /** How often a leader confirms its lease. Milliseconds. */
  readonly heartbeatMs: number;
  /** Whether an uncontested election is mostly waiting, so that many can run at the same time. */
  readonly waits?: boolean;
  open(setting: ElectionSetting): Promise<BenchElection>;
  /** Removes the remains of an election from a store that is not the benchmark's own. */
  forget?(setting: ElectionSetting): Promise<void>;
}

const redis: BenchBackend = {
  store: 'redis',
  heartbeatMs: 100,
  open: async ({ url, lock }) => {
    const { RedisElectionBackend } = await import('@detector-cluster/election/redis');
    return { member: () => new RedisElectionBackend({ redis: url, lockName: lock }) };
  },
};

const etcd: BenchBackend = {
  store: 'etcd',
  heartbeatMs: 3_333,
  open: async ({ url, lock }) => {
    const { EtcdElectionBackend } = await import('@detector-cluster/election/etcd');
    return { member: () => new EtcdElectionBackend({ etcd: { endpoints: url }, lockName: lock }) };
  },
};

const postgres: BenchBackend = {
  store: 'postgres',
  heartbeatMs: 3_333,
  open: async ({ url, lock }) => {
    const { PostgresElectionBackend } = await import('@detector-cluster/election/postgres');
    return { member: () => new PostgresElectionBackend({ postgres: url, lockName: lock }) };
  },
};

const memory: BenchBackend = {
  store: null,
  heartbeatMs: 10_000,
  open: async () => {
    const { MemoryElectionBackend, MemoryElectionStore } = await import('@detector-cluster/election/memory');
    const store = new MemoryElectionStore();
    return { member: () => new MemoryElectionBackend({ store }) };
  },
};

const redisFeed: BenchBackend = {
  store: 'redis',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const { RedisFeedElectionBackend } = await import('@detector-cluster/leaderfeed/redis');
    return { member: () => new RedisFeedElectionBackend(url, { channel: lock }) };
  },
};

/** Each member has its own pool, like a process. */
const postgresFeed: BenchBackend = {
  store: 'postgres',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const { default: pg } = await import('pg');
    const { PostgresFeedElectionBackend } = await import('@detector-cluster/leaderfeed/postgres');
    const pools: Pool[] = [];
    return {
      member: () => {
        const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 2_000 });
        pool.on('error', () => undefined);
        pools.push(pool);
        return new PostgresFeedElectionBackend(pool, { electionName: lock });
      },
      close: () => Promise.all(pools.map((pool) => pool.end())),
    };
  },
};

const mongoFeed: BenchBackend = {
  store: 'mongodb',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const driver = await import('mongodb');
    const { MongoElectionBackend } = await import('@detector-cluster/leaderfeed/mongodb');
    return { member: () => new MongoElectionBackend({ driver, url, collection: lock }) };
  },
  forget: async ({ url, lock }) => {
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(url);
    for (const name of [lock, `${lock}.lease`]) await client.db().dropCollection(name);
    await client.close();
  },
};

const RETHINKDB_PORT = 28_015;

const rethinkFeed: BenchBackend = {
  store: 'rethinkdb',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const { r } = await import('rethinkdb-ts');
    const { RethinkElectionBackend } = await import('@detector-cluster/leaderfeed/rethinkdb');
    const connection = rethinkConnection(url);
    return { member: () => new RethinkElectionBackend({ driver: r, connection, table: lock }) };
  },
  forget: async ({ url, lock }) => {
    const { r } = await import('rethinkdb-ts');
    const connection = await r.connect(rethinkConnection(url));
    await r.db('test').tableDrop(lock).run(connection);
    await connection.close();
  },
};

function rethinkConnection(url: string) {
  const { hostname: host, port, username, password } = new URL(url);
  return {
    host,
    port: Number(port || RETHINKDB_PORT),
    user: decodeURIComponent(username) || 'admin',
    password: decodeURIComponent(password),
    silent: true,
  };
}

const sentBy = ({ groupMember }: GroupElectionBackend): number => sum(Object.values(groupMember?.sent ?? {}));

/** Uses WebSockets on this machine, signed messages, and a leader record in Redis. */
const group: BenchBackend = {
  store: 'redis',
  heartbeatMs: 1_000,
  // A founder first looks for other members, with random waits.
  waits: true,
  open: async ({ url, lock }) => {
    const { GroupElectionBackend } = await import('@detector-cluster/group-membership/backend');
    const { RedisLeaderStore } = await import('@detector-cluster/group-membership/redis');
    const members: GroupElectionBackend[] = [];
    const stores: RedisLeaderStore[] = [];
    return {
      member: () => {
        const store = new RedisLeaderStore({ redis: url, key: `${lock}:group` });
        stores.push(store);
        const member = new GroupElectionBackend({
          group: lock,
          internalAddress: '127.0.0.1:0',
          secret: `the secret of ${lock}`,
          tls: false,
          store,
        });
        members.push(member);
        return member;
      },
      sent: () => sum(members.map(sentBy)),
      close: () => Promise.all(stores.map((store) => store.cleanup())),
    };
  },
};

const backends = {
  redis,
  etcd,
  postgres,
  memory,
  'leaderfeed-redis': redisFeed,
  'leaderfeed-postgres': postgresFeed,
  'leaderfeed-mongodb': mongoFeed,
  'leaderfeed-rethinkdb': rethinkFeed,
  group,
} satisfies Record<string, BenchBackend>;

export type BackendName = keyof typeof backends;

/** All measured backends by name. Each loads its client when it is opened. */
export const benchBackends: Readonly<Record<BackendName, BenchBackend>> = backends;

export function isBackendName(name: string): name is BackendName {
  return Object.hasOwn(benchBackends, name);
}

/** The backends that are not measured, and why. */
const NEVER: Readonly<Record<string, string>> = {
  console: 'nothing to measure: the user elects',
  'failovers of memory': 'it has one process, and no other survives',
};

export interface ChosenBackends {
  readonly names: readonly BackendName[];
  /** Reasons by name. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/**
 * Returns the backends in `only`, or all that can be measured here.
 * @throws TypeError that names an impossible backend in `only`, and the remedy.
 */
export function chooseBackends(
  only: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ChosenBackends {
  const leftOut: Record<string, string> = { ...NEVER };
  for (const [name, { store }] of Object.entries(benchBackends)) {
    const variable = store === 'mongodb' || store === 'rethinkdb' ? STORE_VARIABLES[store] : undefined;
    if (variable && !environment[variable]) leftOut[name] = `set ${variable} to the URL of a server`;
  }
  const there = Object.keys(benchBackends) as BackendName[];
  for (const name of only) {
    if (Object.hasOwn(leftOut, name)) throw new TypeError(`--only ${name}: ${leftOut[name]}`);
    if (!isBackendName(name)) throw new TypeError(`--only ${name}: there are ${there.join(', ')}`);
  }
  const names = there.filter((name) => !Object.hasOwn(leftOut, name));
  if (only.length === 0) return { names, leftOut };
  return { names: names.filter((name) => only.includes(name)), leftOut: {} };
}
