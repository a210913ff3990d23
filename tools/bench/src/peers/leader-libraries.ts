import type { LeaderLibrary } from './leader-library.js';

/** Loaded on demand: a process that measures one library must not load the others. */
const loaders = {
  'master-election': async () => (await import('./master-election.js')).masterElection('default'),
  'master-election-fast': async () => (await import('./master-election.js')).masterElection('fast'),
  'redis-leader': async () => (await import('./redis-leader.js')).redisLeader,
  'redlock-universal': async () => (await import('./redlock-universal.js')).redlockUniversal,
  '@sesamecare-oss/redlock': async () => (await import('./sesamecare-redlock.js')).sesamecareRedlock,
  etcd3: async () => (await import('./etcd3.js')).etcd3,
} satisfies Record<string, () => Promise<LeaderLibrary>>;

export type LibraryName = keyof typeof loaders;

/** The libraries that ours is compared with. */
export const PEERS = ['redis-leader', 'redlock-universal', '@sesamecare-oss/redlock', 'etcd3'] as const;

export function loadLibrary(name: LibraryName): Promise<LeaderLibrary> {
  return loaders[name]();
}
