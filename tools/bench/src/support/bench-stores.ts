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

/** One server of each kind that is needed: the benchmark's own, or the one from the environment. */
export class BenchStores {
  private constructor(private readonly servers: ReadonlyMap<OwnStore, GuardedServer>) {}

  static async start(kinds: Iterable<StoreKind>): Promise<BenchStores> {
    const own = [...new Set(kinds)].filter((kind): kind is OwnStore => kind in starters);
    const servers = await startAll<GuardedServer>(own.map((kind) => starters[kind]()));
    return new BenchStores(new Map(own.map((kind, index) => [kind, servers[index]!])));
  }

  own(kind: OwnStore): GuardedServer {
    return this.servers.get(kind)!;
  }

  urlOf(kind: StoreKind): string {
    return kind === 'mongodb' || kind === 'rethinkdb'
      ? process.env[STORE_VARIABLES[kind]]!
      : this.own(kind).url;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.stop()));
  }
}
