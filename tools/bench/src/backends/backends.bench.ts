import { setTimeout as sleep } from 'node:timers/promises';
import { type CandidateGroup, revive, withGroups } from '../candidates/candidate-group.js';
import { withCandidates } from '../election/bench-candidate.js';
import { settle, succession, type Succession } from '../failover/successions.js';
import { BenchStores, type StoreKind } from '../support/bench-stores.js';
import { percentile, timed } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { type BackendName, benchBackend, type BenchBackend } from './bench-backends.js';
import { chooseBackends } from './choose-backends.js';
import { steadyMessages, withElection } from './steady-messages.js';

const SIZE = 3;

/** At most this many elections at the same time. */
const LANES = 8;

/** Durations of `rounds` successions of each kind, among processes. Milliseconds. */
function backendFailovers(library: BackendName, storeUrl: string, rounds: number) {
  return withGroups({ library, storeUrl, size: SIZE }, Math.min(LANES, rounds), async (groups) => {
    await Promise.all(groups.map((group) => group.leader()));
    // A hand-over takes milliseconds, so no other may run on the machine at the same time.
    const sigterm = await endRounds(groups, rounds, async (turn) => {
      const ended = [];
      for (const group of turn) ended.push(await succession(group, 'SIGTERM'));
      return ended;
    });
    // Each leader is killed at a different moment between two renewals.
    const { heartbeatMs } = benchBackend(library);
    const sigkill = await endRounds(groups, rounds, (turn) =>
      Promise.all(
        turn.map(async (group, lane) => {
          await sleep((heartbeatMs * lane) / turn.length);
          return succession(group, 'SIGKILL');
        }),
      ),
    );
    return { sigterm, sigkill };
  });
}

type Ended = Awaited<ReturnType<typeof succession>>;

/** Ends one leader per group at a time; no process starts while a succession is measured. */
async function endRounds(
  groups: readonly CandidateGroup[],
  rounds: number,
  end: (groups: readonly CandidateGroup[]) => Promise<Ended[]>,
): Promise<Succession[]> {
  const took: Succession[] = [];
  while (took.length < rounds) {
    await settle();
    const ended = await end(groups.slice(0, rounds - took.length));
    took.push(...ended.map(({ duration }) => duration));
    await Promise.all(ended.map(({ leader }) => revive(leader)));
  }
  return took;
}

/**
 * Durations of `count` elections of a single candidate, from the start of its campaign on a connection that is not yet open until it
 * leads. Milliseconds.
 */
async function uncontested(backend: BenchBackend, url: string, count: number): Promise<number[]> {
  const one = () =>
    withElection(backend, url, (election) =>
      withCandidates([election.member()], ([candidate]) => timed(() => candidate!.untilLeaderKnown())),
    );
  // A store that has just started may refuse every candidate for a while.
  await one();
  if (backend.waits) return Promise.all(Array.from({ length: count }, one));
  const took: number[] = [];
  for (let run = 0; run < count; run++) took.push(await one());
  return took;
}

/** Which backends are measured, and how often. */
export interface BackendOptions {
  /** How many leaders are ended in each way; ten times as many elections are timed. */
  readonly rounds: number;
  /** Names of backends; empty for all. */
  readonly only: readonly string[];
}

const SIZES = [3, 10, 50] as const;
const ELECTIONS_PER_ROUND = 10;

/**
 * Measures all backends with their defaults: the duration of an uncontested election, the time without a leader after one of
 * three processes ends, and the messages that members send while nothing happens. `null`: does not apply to a backend within one
 * process, because no other process survives.
 */
export async function backendsBench({ rounds, only }: BackendOptions) {
  const { names, leftOut } = chooseBackends(only, process.env);
  const kinds = names.flatMap((name) => benchBackend(name).store ?? []);
  const stores = await BenchStores.start(kinds);
  try {
    const ends = new Map<BackendName, Awaited<ReturnType<typeof measureEnds>>>();
    for (const name of names) ends.set(name, await measureEnds(name, stores, rounds));
    const messages = await measureMessages(names, stores);
    return {
      bench: 'backends',
      backends: Object.fromEntries(
        names.map((name) => [name, { ...ends.get(name)!, messagesPerMemberPerSecond: messages.get(name)! }]),
      ),
      leftOut,
      rounds,
    };
  } finally {
    await stores.stop();
  }
}

/** One backend after the other, so that measurements do not compete for the machine. */
async function measureEnds(name: BackendName, stores: BenchStores, rounds: number) {
  const backend = benchBackend(name);
  const url = urlOf(stores, backend.store);
  const elections = rounds * ELECTIONS_PER_ROUND;
  progress(`backends: ${name}, ${elections} elections`);
  const took = await uncontested(backend, url, elections);
  const electionP99Ms = percentile(took, 0.99);
  if (backend.store === null) return { electionP99Ms, sigkillP99Ms: null, sigtermP99Ms: null };
  progress(`backends: ${name}, ${rounds} × SIGTERM and SIGKILL`);
  const { sigkill, sigterm } = await backendFailovers(name, url, rounds);
  return {
    electionP99Ms,
    sigkillP99Ms: percentile(sigkill, 0.99),
    sigtermP99Ms: percentile(sigterm, 0.99),
  };
}

/** All at the same time: timers make each backend send the same number of messages anyway. */
async function measureMessages(names: readonly BackendName[], stores: BenchStores) {
  progress(`backends: ${SIZES.join(', ')} members of each do nothing`);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<unknown>) => (last = last.then(work));
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const backend = benchBackend(name);
        const url = urlOf(stores, backend.store);
        const rates = await Promise.all(
          SIZES.map(async (size) => [size, await steadyMessages(backend, url, size, inTurn)] as const),
        );
        return [name, Object.fromEntries(rates)] as const;
      }),
    ),
  );
}

function urlOf(stores: BenchStores, kind: StoreKind | null): string {
  return kind === null ? '' : stores.urlOf(kind);
}
