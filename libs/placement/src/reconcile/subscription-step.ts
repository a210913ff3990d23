import { confirmationDue, isCommandable, isLost, RESEND_AFTER, shownAt } from './confirmation.js';
import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';
import { PENALTY_REASON } from './penalties.js';
import type { SentCommand } from './moves.js';

export interface StepInput {
  readonly entry: DesiredEntry;
  readonly previous: TrackedSubscription | undefined;
  /** The worker that the plan chose; undefined when none fits. */
  readonly target: WorkerObservation | undefined;
  /** Why no worker fits. */
  readonly unplacedReason: string;
  readonly now: number;
  readonly wallNow: number;
  /** Whether an unverified stream of this worker may be subscribed again in this pass. */
  readonly mayVerify: boolean;
  /** See `ReconcileInput.settling`. */
  readonly settling: boolean;
}

export interface StepResult {
  readonly next: TrackedSubscription;
  readonly send: boolean;
  /** The worker did not take it in time: place it elsewhere. */
  readonly refused: boolean;
  readonly wakeAt: number | null;
}

/** Decides the commands and the status of one subscription. Pure. */
export function stepSubscription(input: StepInput): StepResult {
  const { entry, previous, target, now, wallNow } = input;
  const ran = previous?.holder !== undefined && previous.holder !== '';

  if (target === undefined) {
    const next = {
      ...fresh('', wallNow),
      holder: previous?.holder ?? '',
      ...status(
        previous,
        unplacedStatus(ran, input.unplacedReason),
        input.unplacedReason,
        wallNow,
        input.unplacedReason === PENALTY_REASON ? previous?.detail : undefined,
      ),
    };
    return { next, send: false, refused: false, wakeAt: null };
  }

  const base: Memory =
    previous?.workerUrl === target.url
      ? withoutDetail(previous)
      : { ...fresh(target.url, wallNow), holder: previous?.holder ?? '' };
  const interrupted = (reason: string): StepResult => ({
    next: { ...base, ...status(previous, ran ? 'recovering' : 'pending', reason, wallNow) },
    send: false,
    refused: false,
    wakeAt: null,
  });

  // The worker has not reported to the new master yet. Until it does, or the wait ends, the predecessor's record counts:
  // writing all records twice would take longer in a large cluster than waiting.
  if (input.settling && target.liveness === 'Connecting' && previous?.holder === target.url)
    return { next: previous, send: false, refused: false, wakeAt: null };
  // The worker's state is unknown and commands may not be sent; an interrupted worker keeps its streams.
  if (!isCommandable(target)) return interrupted(interruption(target));

  const { seen, online, unverified, agrees, modelState, problem = '' } = shownAt(entry, base, target);
  const hasFailed = seen && agrees && modelState === 'failed';
  if (hasFailed) {
    const failed = status(previous, 'failed', FAILED_REASON, wallNow, problem);
    if (entry.redacted === true)
      return { next: { ...base, ...failed }, send: false, refused: false, wakeAt: null };
    const hasRead = target.reportsDue.get(entry.spec.subscriptionIdentifier) === 0;
    if (base.sentAt !== null && hasRead) return modelFailed(base, base.sentAt, failed, now);
  }
  const mayVerify = input.mayVerify && entry.redacted !== true;
  if (seen && !hasFailed && (unverified ? !mayVerify : agrees)) {
    const loads = modelState === 'loading' && !unverified;
    const reason = unverified ? 'unverified' : loads ? LOADING_REASON : 'streaming';
    // The usual case: the record does not change.
    if (
      online &&
      previous !== undefined &&
      isSettled(previous, target.url, reason) &&
      (unverified || previous.specHash === entry.hash)
    )
      return { next: previous, send: false, refused: false, wakeAt: null };
    const offline = online ? null : (base.offline ?? { since: now, retries: 0 });
    const retryAt = offline === null ? null : offline.since + offlineRetryAfter(offline.retries);
    const renew = retryAt !== null && now >= retryAt && !unverified && entry.redacted !== true;
    const next = {
      ...base,
      specHash: unverified ? base.specHash : entry.hash,
      sentAt: renew ? now : null,
      attempts: renew ? 1 : 0,
      offline: offline && renew ? { ...offline, retries: offline.retries + 1 } : offline,
      confirmed: true,
      holder: target.url,
      ...(online || loads
        ? status(previous, loads ? 'pending' : 'active', reason, wallNow)
        : status(previous, 'recovering', 'camera-offline', wallNow)),
    };
    const wakeAt = renew ? confirmationDue(now, 1, now).until : retryAt;
    return { next, send: renew, refused: false, wakeAt };
  }

  if (entry.redacted === true) return interrupted(REDACTED_REASON);
  const waiting = status(
    previous,
    ran ? 'recovering' : 'pending',
    base.offline === null ? 'awaiting-report' : 'camera-offline',
    wallNow,
  );
  // It stays at a worker whose model has failed, and gets a fresh URL now and then.
  const failed =
    previous?.reason === FAILED_REASON && previous.workerUrl === target.url
      ? status(previous, 'failed', FAILED_REASON, wallNow, previous.detail)
      : status(previous, 'failed', 'refused', wallNow);
  if (base.specHash !== entry.hash || base.sentAt === null) {
    const next = { ...base, specHash: entry.hash, sentAt: now, attempts: 1, confirmed: false, ...waiting };
    return { next, send: true, refused: false, wakeAt: confirmationDue(now, 1, now).until };
  }
  if (isLost(entry.spec.subscriptionIdentifier, base, target)) {
    const attempts = base.attempts + 1;
    const refused = attempts > MAX_LOST;
    const next = {
      ...base,
      sentAt: now,
      attempts,
      ...(refused ? failed : waiting),
    };
    return { next, send: true, refused, wakeAt: confirmationDue(now, attempts, now).until };
  }
  const { send, refused, until } = confirmationDue(base.sentAt, base.attempts, now);
  const attempts = send ? base.attempts + 1 : base.attempts;
  const next = {
    ...base,
    attempts,
    ...(refused ? failed : waiting),
  };
  return { next, send, refused, wakeAt: until };
}

export const LOADING_REASON = 'loading-model';
const FAILED_REASON = 'model-failed';

/**
 * The worker has read the last subscribe and cannot load the model. It counts as refusing the subscription. If that stays there nevertheless,
 * it is offered again at the slow pace of refused ones, because the worker needs a fresh URL to try again.
 */
function modelFailed(base: Memory, sentAt: number, failed: Status, now: number): StepResult {
  const attempts = Math.max(base.attempts, RESEND_AFTER.length + 1);
  const { send, until } = confirmationDue(sentAt, attempts, now);
  const next = { ...base, attempts: send ? attempts + 1 : attempts, confirmed: false, ...failed };
  return { next, send, refused: true, wakeAt: until };
}

/** The master resubscribes streams of unknown origin one at a time per worker. Milliseconds. */
export const VERIFY_INTERVAL = 2_000;

/** After this many lost connections with the same subscribe, the worker is considered to refuse it. */
const MAX_LOST = 4;

/** The detail belongs to the reason, which each step decides again. */
function withoutDetail(previous: TrackedSubscription): Memory {
  if (previous.detail === undefined) return previous;
  const { detail: _, ...memory } = previous;
  return memory;
}

/** Whether the record says that it runs there, and nothing is pending. */
function isSettled(memory: TrackedSubscription, workerUrl: string, reason: string): boolean {
  return (
    memory.workerUrl === workerUrl &&
    memory.holder === workerUrl &&
    (memory.status === 'active' || reason === LOADING_REASON) &&
    memory.reason === reason &&
    memory.confirmed &&
    memory.sentAt === null &&
    memory.attempts === 0 &&
    memory.offline === null
  );
}

export interface ArrivalStep {
  readonly command: SentCommand;
  readonly send: boolean;
  readonly wakeAt: number | null;
}

/** Decides the commands to the new worker for one subscription of a moving unit. Pure. */
export function stepArrival(
  entry: DesiredEntry,
  command: SentCommand,
  target: WorkerObservation | undefined,
  now: number,
): ArrivalStep {
  if (target === undefined || !isCommandable(target) || entry.redacted === true)
    return { command, send: false, wakeAt: null };
  const { seen, agrees } = shownAt(entry, command, target);
  if (seen && agrees)
    return { command: { specHash: entry.hash, sentAt: null, attempts: 0 }, send: false, wakeAt: null };
  if (command.specHash !== entry.hash || command.sentAt === null)
    return {
      command: { specHash: entry.hash, sentAt: now, attempts: 1 },
      send: true,
      wakeAt: confirmationDue(now, 1, now).until,
    };
  if (isLost(entry.spec.subscriptionIdentifier, command, target))
    return {
      command: { ...command, attempts: command.attempts + 1 },
      send: true,
      wakeAt: confirmationDue(now, 1, now).until,
    };
  const { send, until } = confirmationDue(command.sentAt, command.attempts, now);
  return { command: { ...command, attempts: command.attempts + Number(send) }, send, wakeAt: until };
}

/**
 * A stream without a picture means that the camera does not answer or the stream is stuck. The master resends it after 30 s
 * without a picture, and then at growing intervals. Milliseconds since the last picture.
 */
function offlineRetryAfter(retries: number): number {
  let after = 0;
  for (let n = 0; n <= retries; n++) after += Math.min(OFFLINE_RETRY * 2 ** n, OFFLINE_RETRY_CAP);
  return after;
}

const OFFLINE_RETRY = 30_000;
const OFFLINE_RETRY_CAP = 600_000;

function interruption({ liveness }: WorkerObservation): string {
  if (liveness === 'Connecting') return 'worker-connecting';
  return liveness === 'Offline' ? 'worker-offline' : 'worker-suspect';
}

/** The stream has to be sent, but its credentials are in the database or sealed with a secret that this process does not have. */
const REDACTED_REASON = 'credentials-unavailable';

type Status = Pick<TrackedSubscription, 'status' | 'reason' | 'detail' | 'since'>;
type Memory = Omit<TrackedSubscription, keyof Status>;

/** A subscription that every possible worker has refused is failed; without room or a worker it is pending. */
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
    offline: null,
    confirmed: false,
    holder: '',
    assignedAt: workerUrl === '' ? 0 : wallNow,
  };
}

function status(
  previous: TrackedSubscription | undefined,
  next: TrackedSubscription['status'],
  reason: string,
  wallNow: number,
  detail?: string,
): Status {
  return {
    status: next,
    reason,
    since: previous?.status === next ? previous.since : wallNow,
    ...(detail !== undefined && { detail }),
  };
}
