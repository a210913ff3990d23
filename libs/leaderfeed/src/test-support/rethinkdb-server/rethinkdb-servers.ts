import { r } from 'rethinkdb-ts';

/** What the suites for RethinkDB run against: a server of this process, and the one of RETHINKDB_URL where that is set. */
export interface RethinkTarget {
  readonly port: number;
  readonly password: string;
  /** Ends what was started. */
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
      return { port: server.port, password, stop: () => server.stop(), restart: () => server.restart() };
    },
  ],
  ...(process.env.RETHINKDB_URL
    ? [
        [
          'the server of RETHINKDB_URL',
          () => {
            const { port, password } = new URL(process.env.RETHINKDB_URL!);
            return Promise.resolve({ port: Number(port || 28_015), password, stop: () => Promise.resolve() });
          },
        ] as const,
      ]
    : []),
];

/** Removes a table, if there is one. */
export async function dropTable({ port, password }: RethinkTarget, table: string): Promise<void> {
  const connection = await r.connect({ host: '127.0.0.1', port, password, silent: true });
  await r
    .db('test')
    .tableDrop(table)
    .run(connection)
    .catch(() => undefined);
  await connection.close();
}
