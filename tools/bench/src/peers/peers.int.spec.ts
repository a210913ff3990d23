import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CandidateGroup } from '../candidates/candidate-group.js';
import { endLeaders } from '../failover/successions.js';
import { BenchStores } from '../support/bench-stores.js';
import { libraries, PEERS } from './leader-libraries.js';

let stores: BenchStores;

beforeAll(async () => {
  stores = await BenchStores.start(['redis', 'etcd']);
}, 120_000);

afterAll(() => stores?.stop());

describe('every library that is measured', () => {
  it.each([...PEERS, 'master-election-fast'] as const)(
    '%s elects one of several processes, which writes, and hands over when it ends',
    async (name) => {
      const { store, leaseMs } = libraries[name];
      const group = await CandidateGroup.start(name, stores.urlOf(store), 3);
      try {
        const [took] = await endLeaders(group, 'SIGTERM', 1);
        // The leader handed over; the successor did not wait for the lease to expire.
        expect(took).toBeLessThan(leaseMs * 0.9);
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
