import { startAll, startEtcd, startRedis, type GuardedServer } from '@detector-cluster/dev-services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CandidateGroup } from './candidate-group.js';
import { libraries, PEERS } from './leader-libraries.js';
import { endLeaders } from './successions.js';

const stores: Record<string, GuardedServer> = {};

beforeAll(async () => {
  const [redis, etcd] = await startAll<GuardedServer>([startRedis(), startEtcd()]);
  Object.assign(stores, { redis, etcd });
}, 120_000);

afterAll(() => Promise.all(Object.values(stores).map((store) => store.stop())));

describe('every library that is measured', () => {
  it.each([...PEERS, 'master-election-fast'] as const)(
    '%s elects one of several processes, which writes, and hands over when it ends',
    async (name) => {
      const { store, leaseMs } = libraries[name];
      const group = await CandidateGroup.start(name, stores[store]!.url, 3);
      try {
        const { took } = await endLeaders([group], 'SIGTERM', 1);
        // The leader handed over; the successor did not wait for the lease to expire.
        expect(took[0]).toBeLessThan(leaseMs * 0.9);
        const leader = await group.leader();
        await group.journal.waitFor(
          'a write of the new leader',
          20_000,
          ({ event, pid }) => event === 'wrote' && pid === leader.pid,
        );
        const leaders = group.journal.entries.flatMap(({ event, pid }) => (event === 'wrote' ? [pid] : []));
        expect(new Set(leaders).size).toBe(2);
      } finally {
        await group.stop();
      }
    },
    90_000,
  );
});
