import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A library that can elect one leader among processes. It is used as documented and with its defaults; without a default,
 * with the value in the example of its documentation.
 */
export interface LeaderLibrary {
  /** The store of its leadership. */
  readonly store: 'redis' | 'etcd';
  /** How long a silent leader excludes others, in milliseconds. */
  readonly leaseMs: number;
  /** Begins to compete. Loads the library: a process that measures one must not load the others. */
  join(options: JoinOptions): Promise<Candidacy>;
}

/** The parameters of one process in one election. */
export interface JoinOptions {
  readonly storeUrl: string;
  /** Name of the election. */
  readonly lock: string;
  /** Called whenever the library reports that this process has become leader. */
  onElected(): void;
}

/** A process that competes. */
export interface Candidacy {
  /** The library's current local answer, which an application checks before each action. */
  isLeader(): boolean;
  /** Gives up leadership as the library provides it, and closes its connections. */
  leave(): Promise<void>;
}

/** Runs a routine under a lock that the library extends; the signal aborts if an extension fails. */
export type UsingLock = (routine: (lost: AbortSignal) => Promise<void>) => Promise<unknown>;

/** Pause before the next attempt after the library has used up all its retries. Milliseconds. */
const PAUSE = 10;

/** Leads with a library that only has locks: the lock's holder leads, and all others keep trying to take it. */
export function leadWhileLocked(
  redis: { disconnect(): void },
  using: UsingLock,
  onElected: () => void,
): Candidacy {
  const leaving = new AbortController();
  let held: AbortSignal | undefined;
  const lead = async (lost: AbortSignal) => {
    held = lost;
    onElected();
    const end = AbortSignal.any([lost, leaving.signal]);
    if (!end.aborted) await once(end, 'abort');
    held = undefined;
  };
  const compete = async () => {
    while (!leaving.signal.aborted) {
      await using(lead).catch(() => undefined);
      await sleep(PAUSE);
    }
  };
  const competing = compete();
  return {
    isLeader: () => held !== undefined && !held.aborted,
    leave: async () => {
      leaving.abort();
      await competing;
      redis.disconnect();
    },
  };
}

/** Our library, in a Nest application as in the README. */
const masterElection = (timing: 'default' | 'fast', leaseMs: number): LeaderLibrary => ({
  store: 'redis',
  leaseMs,
  join: async ({ storeUrl, lock, onElected }) => {
    const { MasterElection, MasterElectionModule } = await import('@detector-cluster/master-election');
    const { NestFactory } = await import('@nestjs/core');
    const module = MasterElectionModule.forRoot({ redis: storeUrl, lockName: lock, timing });
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    const election = app.get(MasterElection);
    election.on('master-acquired', () => onElected());
    // The first election may be over by now.
    if (election.getIsMaster()) onElected();
    return {
      isLeader: () => election.lease?.isValid() ?? false,
      leave: () => app.close(),
    };
  },
});

/** Uses the defaults: 10 s, and a check every second. Only its events tell whether it leads. */
const redisLeader: LeaderLibrary = {
  store: 'redis',
  leaseMs: 10_000,
  join: async ({ storeUrl, lock, onElected }) => {
    const { default: Leader } = await import('redis-leader');
    const { Redis } = await import('ioredis');
    const redis = new Redis(storeUrl);
    const leader = new Leader(redis, { key: lock });
    let leads = false;
    leader.on('elected', () => {
      leads = true;
      onElected();
    });
    leader.on('revoked', () => (leads = false));
    leader.on('error', () => undefined);
    leader.elect();
    return {
      isLeader: () => leads,
      leave: async () => {
        const revoked = leads ? once(leader, 'revoked') : undefined;
        leader.stop();
        await revoked;
        redis.disconnect();
      },
    };
  },
};

/** `using` with the defaults: 30 s, 3 retries 100 ms apart. */
const redlockUniversal: LeaderLibrary = {
  store: 'redis',
  leaseMs: 30_000,
  join: async ({ storeUrl, lock, onElected }) => {
    const { createLock, IoredisAdapter } = await import('redlock-universal');
    const { Redis } = await import('ioredis');
    const redis = new Redis(storeUrl);
    const redlock = createLock({ adapter: new IoredisAdapter(redis), key: lock });
    return leadWhileLocked(redis, (routine) => redlock.using(routine), onElected);
  },
};

/** The library has no default; the example of its documentation uses 5 s. */
const SESAMECARE_DURATION = 5_000;

/** `using` with the default settings: 10 retries 200 to 400 ms apart, extended 0.5 s before the end. */
const sesamecareRedlock: LeaderLibrary = {
  store: 'redis',
  leaseMs: SESAMECARE_DURATION,
  join: async ({ storeUrl, lock, onElected }) => {
    const { Redlock } = await import('@sesamecare-oss/redlock');
    const { Redis } = await import('ioredis');
    const redis = new Redis(storeUrl);
    const redlock = new Redlock([redis]);
    redlock.on('error', () => undefined);
    const using: UsingLock = (routine) => redlock.using([lock], SESAMECARE_DURATION, routine);
    return leadWhileLocked(redis, using, onElected);
  },
};

/** As in the documentation of etcd3: 5 s after an error, a new campaign begins. */
const ETCD3_PAUSE = 5_000;

/** `election(…).campaign(…)` with the default of 60 s. */
const etcd3: LeaderLibrary = {
  store: 'etcd',
  leaseMs: 60_000,
  join: async ({ storeUrl, lock, onElected }) => {
    const { Etcd3 } = await import('etcd3');
    const client = new Etcd3({ hosts: storeUrl });
    const election = client.election(lock);
    let campaign: ReturnType<typeof election.campaign>;
    let leads = false;
    let left = false;
    const run = () => {
      if (left) return;
      campaign = election.campaign(`candidate-${process.pid}`);
      campaign.on('elected', () => {
        leads = true;
        onElected();
      });
      campaign.on('error', () => {
        leads = false;
        setTimeout(run, ETCD3_PAUSE);
      });
    };
    run();
    return {
      isLeader: () => leads,
      leave: async () => {
        left = true;
        await campaign.resign();
        leads = false;
        client.close();
      },
    };
  },
};

export const libraries = {
  'master-election': masterElection('default', 30_000),
  'master-election-fast': masterElection('fast', 3_000),
  'redis-leader': redisLeader,
  'redlock-universal': redlockUniversal,
  '@sesamecare-oss/redlock': sesamecareRedlock,
  etcd3,
} satisfies Record<string, LeaderLibrary>;

export type LibraryName = keyof typeof libraries;

/** The libraries that ours is compared with. */
export const PEERS = ['redis-leader', 'redlock-universal', '@sesamecare-oss/redlock', 'etcd3'] as const;
