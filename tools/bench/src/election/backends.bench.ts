import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '@detector-cluster/dev-services';
import { Elector } from '@detector-cluster/election';
import type { BenchOptions } from '../bench-options.js';
import { roundTo, spread, timed } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import {
  benchBackends,
  chooseBackends,
  type BackendName,
  type BenchBackend,
  type BenchElection,
  type ElectionSetting,
} from './bench-backends.js';
import { withStores } from './bench-stores.js';
import { measureEnds } from './successions.js';

/** How many leaders are ended in each way, by default. */
const RUNS = 16;

/** At most this many elections at the same time. */
const LANES = 8;

const ELECTIONS_PER_RUN = 10;

const CONTESTED = 5;
const CANDIDATES = 50;

/** Members that do nothing while their messages are counted. */
const SIZES = [3, 10, 50] as const;

/** Time to wait after an election, until the members are idle. Milliseconds. */
const SETTLE = 4_000;

/** The longest interval of all backends. Milliseconds. */
const WINDOW = 10_000;

/**
 * Measures all backends with their defaults: the duration of an election, uncontested and among 50 candidates, the time without a
 * leader after one of three processes ends, and the messages that members send while nothing happens. A backend within one
 * process has only elections.
 */
export function backendsBench({ runs = RUNS, only }: BenchOptions) {
  const { names, leftOut } = chooseBackends(only, process.env);
  const kinds = names.flatMap((name) => benchBackends[name].store ?? []);
  return withStores(kinds, async (stores) => {
    const backends: Record<string, object> = {};
    // One backend after the other, so that measurements do not compete for the machine.
    for (const name of names) {
      const { store } = benchBackends[name];
      if (store === null) backends[name] = await measureElections(name, '', runs);
      else {
        const { url } = stores[store];
        backends[name] = {
          ...(await measureElections(name, url, runs)),
          ...(await measureFailovers(name, url, runs)),
          messagesPerMemberPerSecond: await measureMessages(name, url),
        };
      }
    }
    return { bench: 'backends', backends, leftOut, runs };
  });
}

async function measureElections(name: BackendName, url: string, runs: number) {
  const backend = benchBackends[name];
  const count = runs * ELECTIONS_PER_RUN;
  progress(`backends: ${name}, ${count} elections, and ${CONTESTED} among ${CANDIDATES} candidates`);
  // A store that has just started may refuse every candidate for a while.
  await elections(backend, url, 1, 1);
  return {
    ...spread('election', await elections(backend, url, 1, count)),
    ...spread(`contested${CANDIDATES}`, await elections(backend, url, CANDIDATES, CONTESTED)),
  };
}

function measureFailovers(library: BackendName, storeUrl: string, runs: number) {
  progress(`backends: ${library}, ${runs} × SIGTERM and SIGKILL`);
  const signals = ['SIGTERM', 'SIGKILL'] as const;
  const { heartbeatMs } = benchBackends[library];
  return measureEnds({ library, storeUrl, signals, runs, lanes: LANES, heartbeatMs });
}

/** Average numbers of messages per member and second, by the number of members. */
async function measureMessages(name: BackendName, url: string): Promise<Record<number, number>> {
  progress(`backends: ${name}, ${SIZES.join(', ')} members do nothing`);
  const rates = SIZES.map(async (size) => [size, await messageRate(benchBackends[name], url, size)]);
  return Object.fromEntries(await Promise.all(rates)) as Record<number, number>;
}

/**
 * Durations of `count` elections among `size` candidates that start at the same moment, on connections that are not yet open, until
 * all of them know the leader. Milliseconds.
 */
async function elections(backend: BenchBackend, url: string, size: number, count: number): Promise<number[]> {
  const one = () =>
    withElection(backend, url, size, (electors) => timed(() => Promise.all(electors.map(leaderKnown))));
  if (backend.waits && size === 1) return Promise.all(Array.from({ length: count }, one));
  const took: number[] = [];
  for (let run = 0; run < count; run++) took.push(await one());
  return took;
}

/** Runs `work` with the candidates of a new election, which do not compete yet. Removes the election afterwards. */
async function withElection<T>(
  { open, forget }: BenchBackend,
  url: string,
  size: number,
  work: (electors: readonly Elector[], election: BenchElection) => Promise<T>,
): Promise<T> {
  const setting: ElectionSetting = { url, lock: `bench-${randomUUID()}` };
  const election = await open(setting);
  const members = Array.from({ length: size }, () => election.member());
  const electors = members.map((backend) => new Elector({ backend, candidate: { id: randomUUID() } }));
  try {
    return await work(electors, election);
  } finally {
    await Promise.all(electors.map((elector) => elector.stop()));
    await Promise.all(members.map((member) => member.close()));
    await election.close?.();
    await forget?.(setting);
  }
}

/** Lets a candidate compete. Resolves when it knows the leader, itself or another. */
function leaderKnown(elector: Elector): Promise<void> {
  return new Promise((resolve) => {
    elector.on('acquired', () => resolve());
    elector.on('follower', ({ leaderId }) => leaderId !== null && resolve());
    elector.start();
  });
}

/**
 * Average number of messages that each of `size` members sends per second while one of them leads and nothing happens. A write to
 * the connection to the store is a message: clients send each request with one.
 */
async function messageRate(backend: BenchBackend, url: string, size: number): Promise<number> {
  let writes = 0;
  const proxy = await TcpProxy.to(url, (client) => client.on('data', () => writes++));
  const proxied = proxy.through(url);
  // A replica set would make its clients bypass the proxy.
  if (url.startsWith('mongodb:')) proxied.searchParams.set('directConnection', 'true');
  try {
    return await withElection(backend, proxied.href, size, async (electors, election) => {
      await Promise.all(electors.map(leaderKnown));
      await sleep(SETTLE);
      const leader = soleLeader(electors);
      const messages = () => writes + (election.sent?.() ?? 0);
      const [begin, before] = [performance.now(), messages()];
      await sleep(WINDOW);
      const perSecond = ((messages() - before) * 1_000) / (performance.now() - begin);
      if (soleLeader(electors) !== leader) throw new Error('another one was elected in the meantime');
      return roundTo(perSecond / size, 3);
    });
  } finally {
    await proxy.stop();
  }
}

function soleLeader(electors: readonly Elector[]): Elector {
  const [leader, ...others] = electors.filter(({ lease }) => lease !== null);
  if (!leader || others.length > 0) throw new Error('not exactly one member leads');
  return leader;
}
