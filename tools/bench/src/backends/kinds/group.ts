import type { GroupElectionBackend } from '@detector-cluster/group-membership/backend';
import type { RedisLeaderStore } from '@detector-cluster/group-membership/redis';
import type { BenchBackend } from '../bench-backend.js';

/** Uses WebSockets on this machine, signed messages, and a leader record in Redis. */
export const groupBackend: BenchBackend = {
  store: 'redis',
  heartbeatMs: 1_000,
  // A founder first looks for other members, with random waits.
  waits: true,
  open: async ({ url, lock }) => {
    const [{ GroupElectionBackend }, { RedisLeaderStore }] = await Promise.all([
      import('@detector-cluster/group-membership/backend'),
      import('@detector-cluster/group-membership/redis'),
    ]);
    const members: GroupElectionBackend[] = [];
    const stores: RedisLeaderStore[] = [];
    return {
      member: () => {
        const store = new RedisLeaderStore({ redis: url, key: `${lock}:group` });
        stores.push(store);
        const member = new GroupElectionBackend({
          group: lock,
          internalAddress: '127.0.0.1:0',
          secret: `the secret of ${lock}`,
          tls: false,
          store,
        });
        members.push(member);
        return member;
      },
      sent: () => members.reduce((sum, member) => sum + sentBy(member), 0),
      close: async () => {
        await Promise.all(stores.map((store) => store.cleanup()));
      },
    };
  },
};

function sentBy({ groupMember }: GroupElectionBackend): number {
  return Object.values(groupMember?.sent ?? {}).reduce((sum, count) => sum + count, 0);
}
