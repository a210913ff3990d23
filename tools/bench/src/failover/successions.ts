import { setTimeout as sleep } from 'node:timers/promises';
import type { CandidateGroup } from '../candidates/candidate-group.js';
import type { CandidateProcess } from '../candidates/candidate-process.js';
import { sharedClock } from '../support/shared-clock.js';
import { staleWrites } from './journal-facts.js';

/**
 * Between two successions, for everybody to learn of the first. Some more at random: followers that look at an interval
 * would else always be met at the same point of it. Milliseconds.
 */
const SETTLE = 1_000;
const SETTLE_SPREAD = 1_000;

/** How long a leader that was woken is watched for writes. Milliseconds. */
const WATCH = 1_500;

/** Beyond the longest lease, for the slowest peer. */
const PATIENCE = 120_000;

/** Milliseconds from the signal to the moment at which another process knows that it leads, as it notes itself. */
export type Succession = number;

/** Ends the leader by a signal, again and again; every time it comes back as a new process and competes. */
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
    await Promise.all([leader.revive(), settle()]);
  }
  return took;
}

/**
 * Freezes the leader until another one leads, and wakes it: how long that took, and how many writes the old leader made
 * when it woke.
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
    leader.signal('SIGCONT');
    await sleep(WATCH);
    group.journal.read();
    stale += staleWrites(group.journal.entries, leader.pid, from);
  }
  return { took, staleWrites: stale };
}

/** Waits until everybody has learned of the last succession. */
export async function settle(): Promise<void> {
  await sleep(SETTLE + Math.random() * SETTLE_SPREAD);
}

/** Sends the leader a signal, and waits until another one leads. */
export async function succession(
  group: CandidateGroup,
  signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP',
): Promise<{ leader: CandidateProcess; duration: Succession; from: number }> {
  const leader = await group.leader();
  const { pid } = leader;
  const from = group.journal.entries.length;
  const start = sharedClock();
  leader.signal(signal);
  const next = await group.journal.waitFor(
    `a successor after ${signal}`,
    PATIENCE,
    ({ event, pid: other }) => event === 'elected' && other !== pid,
    from,
  );
  return { leader, duration: next.at - start, from };
}
