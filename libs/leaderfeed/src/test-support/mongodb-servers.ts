/** The servers that the suites for MongoDB run against: one in this process, and the one of MONGODB_URL if that is set. */
export interface MongoTarget {
  readonly url: string;
  /** Stops the server that was started. */
  stop(): Promise<void>;
  restart?(): Promise<void>;
}

export const mongoTargets: readonly (readonly [name: string, start: () => Promise<MongoTarget>])[] = [
  [
    'a server of this process',
    async () => {
      const { MongoTestServer } = await import('./mongodb-test-server.js');
      const server = await MongoTestServer.start();
      return {
        url: `mongodb://127.0.0.1:${server.port}/test`,
        stop: () => server.stop(),
        restart: () => server.restart(),
      };
    },
  ],
  ...(process.env.MONGODB_URL
    ? [
        [
          'the server of MONGODB_URL',
          () => Promise.resolve({ url: process.env.MONGODB_URL!, stop: () => Promise.resolve() }),
        ] as const,
      ]
    : []),
];

/** The same address through a proxy. Without `directConnection` a replica set of one would send its clients past the proxy. */
export function mongoUrlThrough(url: string, port: number): string {
  const address = new URL(url);
  address.host = `127.0.0.1:${port}`;
  address.searchParams.set('directConnection', 'true');
  return address.href;
}

export function mongoPort(url: string): number {
  return Number(new URL(url).port || 27_017);
}
