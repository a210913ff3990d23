import { setTimeout as sleep } from 'node:timers/promises';
import { CandidateGroup } from '../candidates/candidate-group.js';
import { settle, succession, type Succession } from '../failover/successions.js';
import { benchBackend, type BackendName } from './bench-backends.js';

const CANDIDATES = 3;

/** At most this many elections at the same time: most of the time is spent waiting for leases. */
const LANES = 8;

/** Durations of `rounds` successions of each kind, among processes. Milliseconds. */
export async function backendFailovers(name: BackendName, url: string, rounds: number) {
  const started = await Promise.allSettled(
    Array.from({ length: Math.min(LANES, rounds) }, () => CandidateGroup.start(name, url, CANDIDATES)),
  );
  const groups = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    const failed = started.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    await Promise.all(groups.map((group) => group.leader()));
    // A hand-over takes milliseconds, so no other may run on the machine at the same time.
    const sigterm = await endRounds(groups, rounds, async (turn) => {
      const ended = [];
      for (const group of turn) ended.push(await succession(group, 'SIGTERM'));
      return ended;
    });
    // Each leader is killed at a different moment between two renewals.
    const { heartbeatMs } = benchBackend(name);
    const sigkill = await endRounds(groups, rounds, (turn) =>
      Promise.all(
        turn.map(async (group, lane) => {
          await sleep((heartbeatMs * lane) / turn.length);
          return succession(group, 'SIGKILL');
        }),
      ),
    );
    return { sigterm, sigkill };
  } finally {
    await Promise.all(groups.map((group) => group.stop()));
  }
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
    await Promise.all(ended.map(({ leader }) => leader.revive()));
  }
  return took;
}
