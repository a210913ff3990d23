import { startEtcd, startPostgres, startRedis } from '@detector-cluster/dev-services';
import type { StoreKind } from './bench-backend.js';

/** The benchmark's own stores. */
const starters = { redis: startRedis, etcd: startEtcd, postgres: startPostgres } as const;

/** URLs of the other stores, if any. */
export const STORE_VARIABLES = { mongodb: 'MONGODB_URL', rethinkdb: 'RETHINKDB_URL' } as const;

export interface BackendStores {
  urlOf(kind: StoreKind): string;
  stop(): Promise<void>;
}

/** Starts a server of each kind, or uses the one from the environment. */
export async function startBackendStores(kinds: ReadonlySet<StoreKind>): Promise<BackendStores> {
  const own = [...kinds].filter((kind) => kind in starters) as (keyof typeof starters)[];
  const started = await Promise.allSettled(
    own.map(async (kind) => ({ kind, server: await starters[kind]() })),
  );
  const servers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async () => {
    await Promise.all(servers.map(({ server }) => server.stop()));
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const urlOf = (kind: StoreKind): string => {
    if (kind === 'mongodb' || kind === 'rethinkdb') return process.env[STORE_VARIABLES[kind]]!;
    return servers.find((each) => each.kind === kind)!.server.url;
  };
  return { urlOf, stop };
}
