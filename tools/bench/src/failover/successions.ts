import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '@detector-cluster/dev-services';
import { revive, type CandidateGroup } from '../candidates/candidate-group.js';
import { sharedClock } from '../support/process-figures.js';
import { staleWrites } from './journal-facts.js';

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

/** Milliseconds from the signal until another process records that it leads. */
export type Succession = number;

/** Ends the leader by a signal, repeatedly. Each time it competes again as a new process. */
export async function endLeaders(
  group: CandidateGroup,
  signal: 'SIGKILL' | 'SIGTERM',
  runs: number,
): Promise<Succession[]> {
  const took: Succession[] = [];
  await group.leader();
  await settle();
  for (let run = 0; run < runs; run++) {
    const { leader, duration } = await succession(group, signal);
    took.push(duration);
    await Promise.all([revive(leader), settle()]);
  }
  return took;
}

/**
 * Freezes the leader until another one leads, then thaws it. Returns how long that took, and how many writes the old leader
 * made after the thaw.
 */
export async function freezeLeaders(
  group: CandidateGroup,
  runs: number,
): Promise<{ took: Succession[]; staleWrites: number }> {
  const took: Succession[] = [];
  let stale = 0;
  await group.leader();
  for (let run = 0; run < runs; run++) {
    await settle();
    const { leader, duration, from } = await succession(group, 'SIGSTOP');
    took.push(duration);
    leader.resume();
    await sleep(WATCH);
    group.journal.read();
    stale += staleWrites(group.journal.entries, leader.pid, from);
  }
  return { took, staleWrites: stale };
}

/** Waits until all candidates have learned of the last succession. */
export async function settle(): Promise<void> {
  await sleep(SETTLE + Math.random() * SETTLE_SPREAD);
}

/** Sends the leader a signal, and waits until another one leads. */
export async function succession(
  group: CandidateGroup,
  signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP',
): Promise<{ leader: ServerProcess; duration: Succession; from: number }> {
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
  return { leader, duration: next.at - start, from };
}
