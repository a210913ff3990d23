import { randomUUID } from 'node:crypto';
import { describeElectionBackend, type ElectionHarness } from '@detector-cluster/election/testing';
import type { TextLeaderStore } from '../store/text-leader-store.js';
import { RedisLeaderStore } from '../store/redis-leader-store.js';
import { Cuttable, CuttableStore } from '../test-support/cuttable.js';
import { SECRET, TEST_TIMES } from '../test-support/real-group.js';
import { GroupElectionBackend } from './group-election-backend.js';

/** Fifty members share one event loop, which may block for a second. */
const TIMES = { ...TEST_TIMES, leaseTtl: 3_000 };

/** The group detects a dead member after the threshold and one cycle. Then it has to find the highest live id. */
const FAILOVER = TIMES.pingCycle * (TIMES.failureThreshold + 4) + TIMES.leaseTtl;

function harness(store: TextLeaderStore, options: object = {}): ElectionHarness {
  const ways = new Set<Cuttable>();
  const cuts = new Map<unknown, () => void>();
  return {
    failoverWithin: FAILOVER,
    renewDeadline: TIMES.leaseTtl / 2,
    createBackend: (clock) => {
      const way = new Cuttable(ways);
      const own = new CuttableStore(store);
      const backend = new GroupElectionBackend({
        internalAddress: '127.0.0.1:0',
        secret: SECRET,
        tls: false,
        store: own,
        dial: way.dial,
        onWarning: () => undefined,
        ...TIMES,
        clock,
        ...options,
      });
      cuts.set(backend, () => {
        const { groupMember } = backend;
        const address = groupMember?.members.find(({ id }) => id === groupMember.id)?.address;
        if (address) way.ports.add(Number(address.split(':').at(-1)));
        own.cut = true;
        way.isolate();
      });
      return backend;
    },
    cut: (backend) => cuts.get(backend)!(),
    dispose: () => store.cleanup(),
  };
}

describeElectionBackend('group', () => {
  const store = new RedisLeaderStore({ redis: process.env.REDIS_URL!, key: `leader:${randomUUID()}` });
  return Promise.resolve(harness(store, { quorum: true }));
});
