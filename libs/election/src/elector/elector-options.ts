import type {
  AcquisitionReason,
  Candidate,
  ElectionBackend,
  LossReason,
} from '../contract/election-backend.js';
import type { ElectorGaveUpError } from '../contract/errors.js';
import { type Clock, systemClock, MAX_TIMER } from '../util/clock.js';
import type { ElectorHandlers } from './elector-handlers.js';

export interface ElectorOptions {
  /** Where the election takes place. The elector does not close it. */
  readonly backend: ElectionBackend;
  readonly candidate: Candidate;
  readonly handlers?: ElectorHandlers;
  /** How long hand-over waits for work under the lease, see `Lease.waitUntil`. Milliseconds, default 5,000. */
  readonly handoverTimeout?: number;
  /**
   * How long after the last confirmation was sent leadership is given up. Milliseconds. It leaves work that cannot ask
   * `isValid()` the rest of the lease, until `Lease.exclusiveUntil`, to end before another candidate may lead. With it, a term
   * ends whenever it would be suspended. Use a lease that rests on time: on Redis `crashDetection: 'lease'`. Default: none, and a
   * term ends with its lease.
   */
  readonly renewDeadline?: number;
  /** How long the candidate does not compete after its begin handler failed or its campaign broke. Milliseconds, default 10,000. */
  readonly errorTimeout?: number;
  readonly clock?: Clock;
}

/** Fills in the defaults. Throws a `RangeError` that names all durations that are wrong. */
export function resolveElectorOptions(options: ElectorOptions): Required<ElectorOptions> {
  const { renewDeadline = Infinity } = options;
  const { handlers = {}, handoverTimeout = 5_000, errorTimeout = 10_000, clock = systemClock } = options;
  const problems = Object.entries({ handoverTimeout, errorTimeout })
    .filter(([, value]) => !(value >= 0 && value <= MAX_TIMER))
    .map(([name, value]) => `${name} must be a number of milliseconds from 0 to ${MAX_TIMER}, not ${value}`);
  if (options.renewDeadline !== undefined && !(renewDeadline > 0 && renewDeadline <= MAX_TIMER))
    problems.push(
      `renewDeadline must be a number of milliseconds from 1 to ${MAX_TIMER}, not ${renewDeadline}`,
    );
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const { backend, candidate } = options;
  return { backend, candidate, handlers, handoverTimeout, renewDeadline, errorTimeout, clock };
}

/** Events of an `Elector`, with the arguments of their listeners. `acquired` and `lost` strictly alternate. */
export interface ElectorEvents {
  /** This candidate became leader. */
  acquired: [leadership: { term: number; reason: AcquisitionReason }];
  /** It no longer is; its lease is already invalid and its signal aborted. */
  lost: [leadership: { term: number; reason: LossReason }];
  /** Still leader, but may not act until `resumed`. */
  suspended: [leadership: { term: number }];
  /** Confirmed again in the same term. */
  resumed: [leadership: { term: number }];
  /** Another candidate leads, or none (`null`). Emitted on every change. */
  follower: [leader: { leaderId: string | null; term: number }];
  /** The store answered after it had failed. */
  recovered: [];
  /** The store, a handler, a listener or work under a lease failed. Ends no term by itself; without a listener it is dropped. */
  error: [error: Error];
  /**
   * The end handler failed for good. The elector has stopped and cannot start again: the process should exit, and without a
   * listener it does, by an uncaught exception.
   */
  'gave-up': [error: ElectorGaveUpError];
}
