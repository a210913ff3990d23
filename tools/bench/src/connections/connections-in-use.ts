import { setTimeout as sleep } from 'node:timers/promises';
import { EquippedCluster, type Held } from './equipped-cluster.js';

/** A process may hold at most this many connections to one Redis server. */
export const CONNECTION_BOUNDS = { follower: 8, master: 9 } as const;

/** Time to wait after starts and changes of role, until the cluster is idle. Milliseconds. */
const SETTLE = 3_000;
const WATCH = 3_000;

export interface ConnectionsInUse {
  readonly follower: Held;
  readonly master: Held;
}

/** The highest number of connections of a follower and a master with everything in use, before and after a change of master. */
export async function connectionsInUse(options: {
  readonly databaseUrl?: string | undefined;
}): Promise<ConnectionsInUse> {
  const cluster = await EquippedCluster.start({ backends: 2, inUse: true, ...options });
  try {
    const before = await look(cluster);
    await cluster.changeMaster();
    const after = await look(cluster);
    return {
      follower: more(before.follower, after.follower),
      master: more(before.master, after.master),
    };
  } finally {
    await cluster.stop();
  }
}

async function look(cluster: EquippedCluster): Promise<ConnectionsInUse> {
  await sleep(SETTLE);
  const master = await cluster.master();
  const held = await cluster.watchConnections(WATCH);
  const followers = cluster.backends.filter((backend) => backend !== master);
  return {
    follower: followers.map((follower) => held.get(follower)!).reduce(more),
    master: held.get(master)!,
  };
}

const more = (one: Held, other: Held): Held => (other.count > one.count ? other : one);
