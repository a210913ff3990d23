import { setTimeout as sleep } from 'node:timers/promises';
import { startAll, type ServerProcess } from '@detector-cluster/dev-services';
import { spread, sum } from '../support/percentile.js';
import { sharedClock } from '../support/process-figures.js';
import { CandidateGroup, revive, type CandidateName } from './candidate-group.js';
import { staleWrites } from './journal.js';

/**
 * Pause between two successions, so that all candidates learn of the first. A random part is added, because otherwise the
 * succession would always hit the same point of followers' polling intervals. Milliseconds.
 */
const SETTLE = 1_000;
const SETTLE_SPREAD = 1_000;

/** How long a thawed leader is observed for writes. Milliseconds. */
const WATCH = 1_500;

/** Longer than the longest lease, for the slowest peer. */
const TIMEOUT = 120_000;

/** How a leader ends: it leaves, it dies, or it freezes until another one leads. */
export type EndSignal = 'SIGTERM' | 'SIGKILL' | 'SIGSTOP';

/** Processes of each election. */
const SIZE = 3;

export interface EndsOptions {
  readonly library: CandidateName;
  readonly storeUrl: string;
  readonly signals: readonly EndSignal[];
  /** How many leaders end in each way. */
  readonly runs: number;
  /** At most this many elections at the same time: most of the time of a failover is spent waiting for leases. */
  readonly lanes: number;
  /** How often a leader confirms its lease. Default: all leaders of a turn end at the same moment. Milliseconds. */
  readonly heartbeatMs?: number;
}

/** Ends leaders of three processes in each of these ways. Returns how long it took until another one led, and stale writes. */
export async function measureEnds(options: EndsOptions): Promise<Record<string, number>> {
  const { library, storeUrl, signals, runs, lanes, heartbeatMs } = options;
  const starts = Array.from({ length: Math.min(lanes, runs) }, () =>
    CandidateGroup.start(library, storeUrl, SIZE),
  );
  const groups = await startAll(starts);
  try {
    const figures: Record<string, number> = {};
    for (const signal of signals) {
      const { took, staleWrites } = await endLeaders(groups, signal, runs, heartbeatMs);
      Object.assign(figures, spread(signal.toLowerCase(), took));
      if (signal === 'SIGSTOP') figures.staleWritesAfterThaw = staleWrites;
    }
    return figures;
  } finally {
    await Promise.all(groups.map((group) => group.stop()));
  }
}

interface Ends {
  /** Milliseconds from each signal until another process recorded that it leads. */
  readonly took: readonly number[];
  /** How many writes the old leaders made after they were thawed. */
  readonly staleWrites: number;
}

/**
 * Ends `runs` leaders in turns, one of each group. They compete again before the next turn. No process starts while a succession is
 * measured.
 * @param heartbeat how often a leader confirms its lease; the leaders of a turn end at different moments between two. Milliseconds.
 */
export async function endLeaders(
  groups: readonly CandidateGroup[],
  signal: EndSignal,
  runs: number,
  heartbeat = 0,
): Promise<Ends> {
  const took: number[] = [];
  let stale = 0;
  await Promise.all(groups.map((group) => group.leader()));
  while (took.length < runs) {
    await sleep(SETTLE + Math.random() * SETTLE_SPREAD);
    const turn = groups.slice(0, runs - took.length);
    const ended: Succession[] = [];
    // A hand-over takes milliseconds, so no other may run on the machine at the same time.
    if (signal === 'SIGTERM') for (const group of turn) ended.push(await succession(group, signal));
    else {
      const end = async (group: CandidateGroup, lane: number) => {
        await sleep((heartbeat * lane) / turn.length);
        return succession(group, signal);
      };
      ended.push(...(await Promise.all(turn.map(end))));
    }
    took.push(...ended.map(({ duration }) => duration));
    if (signal === 'SIGSTOP') stale += sum(await Promise.all(ended.map(thaw)));
    else await Promise.all(ended.map(({ leader }) => revive(leader)));
  }
  return { took, staleWrites: stale };
}

interface Succession {
  readonly group: CandidateGroup;
  /** The old leader. */
  readonly leader: ServerProcess;
  readonly duration: number;
  /** Index of the first entry of the journal after the signal. */
  readonly from: number;
}

/** Sends the leader a signal, and waits until another one leads. */
async function succession(group: CandidateGroup, signal: EndSignal): Promise<Succession> {
  const leader = await group.leader();
  const { pid } = leader;
  const from = group.journal.entries.length;
  const start = sharedClock();
  if (signal === 'SIGSTOP') leader.pause();
  else process.kill(pid, signal);
  const next = await group.journal.waitFor(
    `a successor after ${signal}`,
    TIMEOUT,
    ({ event, pid: other }) => event === 'elected' && other !== pid,
    from,
  );
  return { group, leader, duration: next.at - start, from };
}

/** Thaws a frozen leader. Returns how many writes it made as if it were still the leader. */
async function thaw({ group, leader, from }: Succession): Promise<number> {
  leader.resume();
  await sleep(WATCH);
  group.journal.read();
  return staleWrites(group.journal.entries, leader.pid, from);
}
