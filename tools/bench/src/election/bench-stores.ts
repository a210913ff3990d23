import {
  startAll,
  startEtcd,
  startPostgres,
  startRedis,
  type GuardedServer,
} from '@detector-cluster/dev-services';

/** The benchmark's own stores. */
const starters = { redis: startRedis, etcd: startEtcd, postgres: startPostgres } as const;

/** Variables with the URLs of the other stores, if there are any. */
export const STORE_VARIABLES = { mongodb: 'MONGODB_URL', rethinkdb: 'RETHINKDB_URL' } as const;

type OwnStore = keyof typeof starters;

/** The store of an election, outside of the candidates' processes. */
export type StoreKind = OwnStore | keyof typeof STORE_VARIABLES;

/** Starts the benchmark's own stores among these, runs `work` with them, and stops them. */
export async function withStores<T>(
  kinds: Iterable<StoreKind>,
  work: (stores: Readonly<Record<OwnStore, GuardedServer>>) => Promise<T>,
): Promise<T> {
  const own = [...new Set(kinds)].filter((kind): kind is OwnStore => kind in starters);
  const servers = await startAll<GuardedServer>(own.map((kind) => starters[kind]()));
  try {
    return await work(Object.fromEntries(own.map((kind, index) => [kind, servers[index]!])) as never);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
