import { r } from 'rethinkdb-ts';

/** Connection options of a server, as `r.connect` takes them. */
export interface RethinkAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** The servers that the suites for RethinkDB run against: one in this process, and the one of RETHINKDB_URL if that is set. */
export interface RethinkTarget {
  readonly address: RethinkAddress;
  /** Stops the server that was started. */
  stop(): Promise<void>;
  restart?(): Promise<void>;
}

export const rethinkTargets: readonly (readonly [name: string, start: () => Promise<RethinkTarget>])[] = [
  [
    'a server of this process',
    async () => {
      const { RethinkTestServer } = await import('./rethinkdb-test-server.js');
      const password = 'a secret';
      const server = await RethinkTestServer.start(password);
      const address = { host: '127.0.0.1', port: server.port, user: 'admin', password };
      return { address, stop: () => server.stop(), restart: () => server.restart() };
    },
  ],
  ...(process.env.RETHINKDB_URL
    ? [
        [
          'the server of RETHINKDB_URL',
          () =>
            Promise.resolve({
              address: addressOf(process.env.RETHINKDB_URL!),
              stop: () => Promise.resolve(),
            }),
        ] as const,
      ]
    : []),
];

/** Parses a URL, e.g. `rethinkdb://user:password@db-1:28015`. */
export function addressOf(url: string): RethinkAddress {
  const { hostname: host, port, username, password } = new URL(url);
  return {
    host,
    port: Number(port || 28_015),
    user: decodeURIComponent(username) || 'admin',
    password: decodeURIComponent(password),
  };
}

/** Removes a table of `test`, if there is one. */
export async function dropTable({ address }: RethinkTarget, table: string): Promise<void> {
  const connection = await r.connect({ ...address, silent: true });
  try {
    const tables = await r.db('test').tableList().run(connection);
    if (tables.includes(table)) await r.db('test').tableDrop(table).run(connection);
  } finally {
    await connection.close();
  }
}

/** Removes a database and its content. */
export async function dropDatabase({ address }: RethinkTarget, db: string): Promise<void> {
  const connection = await r.connect({ ...address, silent: true });
  try {
    await r.dbDrop(db).run(connection);
  } finally {
    await connection.close();
  }
}
