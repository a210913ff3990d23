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
type OtherStore = keyof typeof STORE_VARIABLES;

/** The store of an election, outside of the candidates' processes. */
export type StoreKind = OwnStore | OtherStore;

type Stores = Readonly<Record<OwnStore, GuardedServer> & Record<OtherStore, { readonly url: string }>>;

/** Starts the benchmark's own stores among these, runs `work` with all of them, and stops its own. */
export async function withStores<T>(
  kinds: readonly StoreKind[],
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const own = [...new Set(kinds)].filter((kind): kind is OwnStore => kind in starters);
  const servers = await startAll<GuardedServer>(own.map((kind) => starters[kind]()));
  try {
    return await work({
      mongodb: { url: process.env.MONGODB_URL ?? '' },
      rethinkdb: { url: process.env.RETHINKDB_URL ?? '' },
      ...(Object.fromEntries(own.map((kind, index) => [kind, servers[index]!])) as Record<
        OwnStore,
        GuardedServer
      >),
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
