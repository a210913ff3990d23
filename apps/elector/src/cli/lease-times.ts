import { validityOf } from '@detector-cluster/election/internal';
import type { BackendName } from './backend-options.js';
import { UsageError } from './usage.error.js';

/** How long a lease lasts without `--lock-ttl`. Milliseconds. */
const LOCK_TTL: Readonly<Record<BackendName, number>> = {
  redis: 15_000,
  etcd: 15_000,
  postgres: 15_000,
  memory: 15_000,
  group: 5_000,
  console: Infinity,
};

/** The longest time that a command gets between SIGTERM and SIGKILL without `--kill-after`. Milliseconds. */
const KILL_AFTER = 5_000;

/** For the signal to arrive, and for a loaded machine. A share of the validity of a lease. */
const MARGIN = 0.05;

export interface LeaseTimeFlags {
  readonly backend: BackendName;
  readonly lockTtl?: number;
  readonly renewDeadline?: number;
  readonly killAfter?: number;
}

/** What must have happened how long after the last confirmation of a lease was sent. Milliseconds. */
export interface LeaseTimes {
  readonly lockTtl: number;
  /** The leader gives up leadership, and work must end. */
  readonly renewDeadline: number;
  /** From then on until what is left of the work is killed. */
  readonly killAfter: number;
}

/**
 * The times of a lease under which another program works. That program cannot ask whether the lease is valid. The elector asks it
 * to end after `renewDeadline`, and kills it `killAfter` later, before another candidate can lead.
 *
 * @throws UsageError when they do not fit into the lease.
 */
export function leaseTimes(flags: LeaseTimeFlags): LeaseTimes {
  const lockTtl = flags.lockTtl ?? LOCK_TTL[flags.backend];
  if (lockTtl === Infinity)
    return { lockTtl, renewDeadline: Infinity, killAfter: flags.killAfter ?? KILL_AFTER };
  const usable = Math.floor(validityOf(lockTtl) * (1 - MARGIN));
  const { killAfter = Math.min(KILL_AFTER, Math.floor(usable / 3)) } = flags;
  const { renewDeadline = usable - killAfter } = flags;
  const shortest = Math.ceil(lockTtl / 3);
  if (renewDeadline <= shortest || renewDeadline + killAfter > usable)
    throw new UsageError(
      `--renew-deadline (${Math.max(0, renewDeadline)}ms) must be more than a third of --lock-ttl (${lockTtl}ms), ` +
        `and with --kill-after (${killAfter}ms) at most ${usable}ms, so that the command has ended before another ` +
        'instance leads: give a longer --lock-ttl or a shorter --kill-after',
    );
  return { lockTtl, renewDeadline, killAfter };
}
