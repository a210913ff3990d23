import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedServer } from '@detector-cluster/dev-services';
import { MasterElection, MasterElectionModule } from '@detector-cluster/master-election';
import { NestFactory } from '@nestjs/core';
import type { BenchOptions } from '../bench-options.js';
import { spread, timedRuns } from '../support/percentile.js';
import { progress, sharedClock } from '../support/process-figures.js';
import { withStores } from './bench-stores.js';
import { CandidateGroup } from './candidate-group.js';
import { claimedBeyond } from './journal.js';
import { libraries, PEERS, type LibraryName } from './leader-libraries.js';
import { measureEnds } from './successions.js';

/** How often our library's leader ends in each way, by default. */
const RUNS = 30;

/** How many masters are frozen at the same time. */
const FREEZE_LANES = 5;

const REGISTRATIONS = 500;

/** How long a leader is observed after its lease has expired. Milliseconds. */
const OUTAGE_BEYOND_LEASE = 10_000;

/** Time for a leader to extend its lease for the first time, if it does so early. */
const SETTLE = 2_000;

/**
 * Ends the leader of three processes in every way, and measures until another one knows that it leads. It does the same
 * to other libraries, with their own defaults. It also measures how long a leader continues to act beyond its lease while the
 * store is frozen, how many writes a frozen leader makes when it wakes after it was replaced, and how long our library
 * takes to register a process.
 */
export function failoverBench({ runs = RUNS, peerRuns, timing }: BenchOptions) {
  return withStores(['redis', 'etcd'], async (stores) => {
    const storeUrl = stores.redis.url;
    const library = timing === 'fast' ? 'master-election-fast' : 'master-election';
    progress(`failover: ${runs} × SIGTERM and SIGKILL, timing ${timing}`);
    // One after the other, so that measurements do not compete for the machine.
    const ended = await measureEnds({ library, storeUrl, signals: ['SIGTERM', 'SIGKILL'], runs, lanes: 1 });
    progress(`failover: ${runs} × SIGSTOP, timing fast`);
    const frozen = await measureEnds({
      library: 'master-election-fast',
      storeUrl,
      signals: ['SIGSTOP'],
      runs,
      lanes: FREEZE_LANES,
    });
    progress(`failover: ${REGISTRATIONS} registrations`);
    const registered = await registrations(storeUrl);
    const peers: readonly LibraryName[] = peerRuns > 0 ? PEERS : [];
    progress(`failover: the store's outage; ${peers.length} other libraries, ${peerRuns} runs each`);
    const outage = claimsDuringOutage(['master-election', ...peers]);
    const [claims, ...figures] = await Promise.all([
      outage,
      ...peers.map((name) => peerFailovers(name, stores[libraries[name].store].url, peerRuns)),
    ]);
    return {
      bench: 'failover',
      ...ended,
      killTiming: timing,
      ...frozen,
      freezeTiming: 'fast',
      runs,
      ...spread('register', registered),
      claimsDuringOutageMs: claims.get('master-election'),
      outageBeyondLeaseMs: OUTAGE_BEYOND_LEASE,
      peers: Object.fromEntries(
        peers.map((name, index) => [name, { ...figures[index], claimsDuringOutageMs: claims.get(name) }]),
      ),
    };
  });
}

/** Ends the leader in the same ways as for our library, in as many elections at the same time: leases last up to a minute. */
async function peerFailovers(library: LibraryName, storeUrl: string, runs: number) {
  const signals = ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const;
  const figures = await measureEnds({ library, storeUrl, signals, runs, lanes: runs });
  progress(`failover: ${library} is done`);
  return { leaseMs: libraries[library].leaseMs, ...figures, runs };
}

/** Durations of registrations of another process, one after the other. Milliseconds. */
async function registrations(redis: string): Promise<number[]> {
  const module = MasterElectionModule.forRoot({ redis, timing: 'fast', lockName: 'bench-registrations' });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const election = app.get(MasterElection);
    await election.waitForElectionComplete();
    return await timedRuns(REGISTRATIONS, (run) => {
      const processId = `bench:${run}`;
      return election.registerProcess({
        processId,
        nodeId: processId,
        role: 'slave',
        lastSeen: new Date().toISOString(),
        capabilities: { canProcessDetections: true, maxSubscriptions: 100, preferredWorkload: 80 },
      });
    });
  } finally {
    await app.close();
  }
}

/**
 * Freezes the store, and measures how long the leader continues to act after the end of its lease, in milliseconds, at
 * most {@link OUTAGE_BEYOND_LEASE}. The lease is counted from the freeze, the latest possible moment of its extension.
 */
function claimsDuringOutage(names: readonly LibraryName[]): Promise<Map<LibraryName, number>> {
  return withStores(['redis', 'etcd'], async (stores) => {
    const claims = (['redis', 'etcd'] as const).map((kind) => {
      const those = names.filter((name) => libraries[name].store === kind);
      return freeze(stores[kind], those);
    });
    return new Map((await Promise.all(claims)).flat());
  });
}

async function freeze(store: GuardedServer, names: readonly LibraryName[]): Promise<[LibraryName, number][]> {
  const groups: CandidateGroup[] = [];
  const leases = names.map((name) => libraries[name].leaseMs);
  try {
    for (const name of names) groups.push(await CandidateGroup.start(name, store.url, 1));
    await Promise.all(groups.map((group) => group.leader()));
    await sleep(SETTLE);
    store.pause();
    const frozen = sharedClock();
    await sleep(Math.max(0, ...leases) + OUTAGE_BEYOND_LEASE);
    progress(`failover: the outage of ${names.join(', ')} is over`);
    return names.map((name, index) => {
      const { journal } = groups[index]!;
      journal.read();
      const end = frozen + leases[index]!;
      return [name, claimedBeyond(journal.entries, end, end + OUTAGE_BEYOND_LEASE)];
    });
  } finally {
    // The candidates stop first: a frozen store cannot elect any of them in the meantime.
    await Promise.all(groups.map((group) => group.stop()));
  }
}
