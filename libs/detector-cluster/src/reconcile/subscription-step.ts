import { confirmationDue } from './confirmation.js';
import { PENALTY_REASON } from './penalty-reason.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

export interface StepInput {
  readonly entry: DesiredEntry;
  readonly previous: TrackedSubscription | undefined;
  /** The worker the plan chose; undefined when nothing fits. */
  readonly target: WorkerObservation | undefined;
  /** Why nothing fits. */
  readonly unplacedReason: string;
  readonly now: number;
  readonly wallNow: number;
  /** Whether an unverified stream of this worker may be subscribed anew in this pass. */
  readonly mayVerify: boolean;
}

export interface StepResult {
  readonly next: TrackedSubscription;
  readonly send: boolean;
  /** The worker did not take it in time: place it elsewhere. */
  readonly refused: boolean;
  readonly wakeAt: number | null;
}

/** Decides for one subscription what to send and what to say of it. Pure. */
export function stepSubscription(input: StepInput): StepResult {
  const { entry, previous, target, now, wallNow } = input;
  const ran = previous?.holder !== undefined && previous.holder !== '';

  if (target === undefined) {
    const next = {
      ...fresh('', wallNow),
      holder: previous?.holder ?? '',
      ...status(previous, unplacedStatus(ran, input.unplacedReason), input.unplacedReason, wallNow),
    };
    return { next, send: false, refused: false, wakeAt: null };
  }

  const moved = previous?.workerUrl !== target.url;
  const stream = target.current ? target.reported.get(entry.spec.subscriptionIdentifier) : undefined;
  const base: Memory = moved
    ? { ...fresh(target.url, wallNow), holder: previous?.holder ?? '' }
    : withoutStatus(previous);

  if (!target.current || target.liveness !== 'Ready') {
    // Nothing is known and nothing may be sent: an interrupted worker keeps what it has.
    const reason = target.liveness === 'Connecting' ? 'worker-connecting' : 'worker-suspect';
    const next = { ...base, ...status(previous, ran ? 'recovering' : 'pending', reason, wallNow) };
    return { next, send: false, refused: false, wakeAt: null };
  }

  const unverified = stream !== undefined && base.specHash === '';
  const told = base.specHash === entry.hash;
  const seen = stream !== undefined && (base.sentAt === null || (target.reportAt ?? 0) > base.sentAt);
  const modelAgrees =
    stream?.modelId === undefined || stream.modelId === null || stream.modelId === entry.spec.modelId;

  const mayVerify = input.mayVerify && entry.withheld !== true;
  if (seen && (unverified ? !mayVerify : told && modelAgrees)) {
    const next = {
      ...base,
      sentAt: null,
      attempts: 0,
      confirmed: true,
      holder: target.url,
      ...(stream.online
        ? status(previous, 'active', unverified ? 'unverified' : 'streaming', wallNow)
        : status(previous, 'recovering', 'camera-offline', wallNow)),
    };
    return { next, send: false, refused: false, wakeAt: null };
  }

  if (entry.withheld === true) {
    const next = { ...base, ...status(previous, ran ? 'recovering' : 'pending', WITHHELD_REASON, wallNow) };
    return { next, send: false, refused: false, wakeAt: null };
  }
  const waiting = status(previous, ran ? 'recovering' : 'pending', 'awaiting-report', wallNow);
  if (!told || base.sentAt === null) {
    const next = { ...base, specHash: entry.hash, sentAt: now, attempts: 1, confirmed: false, ...waiting };
    return { next, send: true, refused: false, wakeAt: confirmationDue(now, 1, now).until };
  }
  const { send, refused, until } = confirmationDue(base.sentAt, base.attempts, now);
  const attempts = send ? base.attempts + 1 : base.attempts;
  const next = {
    ...base,
    attempts,
    ...(refused ? status(previous, 'failed', 'refused', wallNow) : waiting),
  };
  return { next, send, refused, wakeAt: until };
}

/** The stream has to be sent, and its credentials are in the database or sealed with a secret not given here. */
const WITHHELD_REASON = 'credentials-unavailable';

type Memory = Omit<TrackedSubscription, 'status' | 'reason' | 'since'>;

/** Refused by every worker that could take it is a failure; no room or no worker is a matter of time. */
function unplacedStatus(ran: boolean, reason: string): TrackedSubscription['status'] {
  if (reason === PENALTY_REASON) return 'failed';
  return ran ? 'recovering' : 'pending';
}

function fresh(workerUrl: string, wallNow: number): Memory {
  return {
    workerUrl,
    specHash: '',
    sentAt: null,
    attempts: 0,
    confirmed: false,
    holder: '',
    assignedAt: workerUrl === '' ? 0 : wallNow,
  };
}

function withoutStatus(tracked: TrackedSubscription): Memory {
  const { workerUrl, specHash, sentAt, attempts, confirmed, holder, assignedAt } = tracked;
  return { workerUrl, specHash, sentAt, attempts, confirmed, holder, assignedAt };
}

function status(
  previous: TrackedSubscription | undefined,
  next: TrackedSubscription['status'],
  reason: string,
  wallNow: number,
): Pick<TrackedSubscription, 'status' | 'reason' | 'since'> {
  return { status: next, reason, since: previous?.status === next ? previous.since : wallNow };
}
