import type { BenchBackend } from '../bench-backend.js';
import { ofBackends } from './of-backends.js';

export const mongoFeed: BenchBackend = {
  store: 'mongodb',
  heartbeatMs: 1_000,
  open: async ({ url, lock }) => {
    const [driver, { MongoElectionBackend }] = await Promise.all([
      import('mongodb'),
      import('@detector-cluster/leaderfeed/mongodb'),
    ]);
    return ofBackends(() => new MongoElectionBackend({ driver, url, collection: lock }));
  },
  forget: async ({ url, lock }) => {
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(url);
    for (const name of [lock, `${lock}.lease`]) await client.db().dropCollection(name);
    await client.close();
  },
};
