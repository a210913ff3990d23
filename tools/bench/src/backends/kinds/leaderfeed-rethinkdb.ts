import type { BenchBackend } from '../bench-backend.js';
import { ofBackends } from './of-backends.js';

const DEFAULT_PORT = 28_015;

export const rethinkFeed: BenchBackend = {
  store: 'rethinkdb',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const [{ r }, { RethinkElectionBackend }] = await Promise.all([
      import('rethinkdb-ts'),
      import('@detector-cluster/leaderfeed/rethinkdb'),
    ]);
    const connection = connectionOf(url);
    return ofBackends(() => new RethinkElectionBackend({ driver: r, connection, table: lock }));
  },
  forget: async ({ url, lock }) => {
    const { r } = await import('rethinkdb-ts');
    const connection = await r.connect(connectionOf(url));
    await r.db('test').tableDrop(lock).run(connection);
    await connection.close();
  },
};

function connectionOf(url: string) {
  const { hostname: host, port, username, password } = new URL(url);
  return {
    host,
    port: Number(port || DEFAULT_PORT),
    user: decodeURIComponent(username) || 'admin',
    password: decodeURIComponent(password),
    silent: true,
  };
}
