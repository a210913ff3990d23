import { CLOCK_RATE_RATIO } from '../../../util/clock.js';
import { durationProblems } from '../../../util/duration-problems.js';

/** The connection by which the store sees that a process lives, as a campaign uses it. */
export interface ProcessPresence {
  /** The store has the connection on its list, as far as this process knows. */
  readonly listening: boolean;
  /** Resolves when it does, after `timeout` ms at the latest, or when `signal` aborts. */
  whenListening(timeout: number, signal: AbortSignal): Promise<void>;
  /** Disappears on purpose, until {@link comeBack}. */
  leave(): void;
  comeBack(): void;
}

/** The durations of crash detection by presence, in milliseconds. */
export interface PresenceTiming {
  /** How often a follower looks whether the leader is there, ± 20 %. */
  readonly presenceLook: number;
  /** A leader that was absent for this long is replaced. */
  readonly presenceGrace: number;
  /** How long the leader may act after it sent a confirmation. */
  readonly presenceValidity: number;
  /** How often the leader sends one. */
  readonly confirmInterval: number;
}

export const PRESENCE_TIMING: PresenceTiming = {
  presenceLook: 250,
  presenceGrace: 500,
  presenceValidity: 400,
  confirmInterval: 100,
};

/** The problems of a set of durations, one sentence each. */
export function presenceTimingProblems(timing: PresenceTiming, lockTtl: number): string[] {
  const problems = durationProblems(timing);
  if (problems.length > 0) return problems;
  const { presenceGrace, presenceValidity, confirmInterval, presenceLook } = timing;
  if (presenceValidity * CLOCK_RATE_RATIO >= presenceGrace)
    problems.push(
      `presenceValidity (${presenceValidity}) must be shorter than presenceGrace (${presenceGrace}) by more than 2 %: ` +
        'a leader that is absent must have stopped acting before it is replaced',
    );
  if (confirmInterval * 4 > presenceValidity)
    problems.push(
      `confirmInterval (${confirmInterval}) must be at most a quarter of presenceValidity (${presenceValidity}), ` +
        'so that a late confirmation does not suspend the leader',
    );
  if (presenceGrace >= lockTtl)
    problems.push(
      `presenceGrace (${presenceGrace}) must be shorter than lockTtl (${lockTtl}); for so short a lease use crashDetection 'lease'`,
    );
  if (presenceLook > lockTtl)
    problems.push(`presenceLook (${presenceLook}) must not be longer than lockTtl (${lockTtl})`);
  return problems;
}
