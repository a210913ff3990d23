import type { Clock } from '@detector-cluster/election';
import { pause, toError } from '@detector-cluster/election/internal';
import type { LeaderRecord } from '../store/leader-record.js';
import type { Look } from '../store/record-access.js';
import { AddressInUseError, JoinError, type JoinFailure } from '../transport/join.error.js';
import type { JoinAnswer } from '../transport/message.js';

const ATTEMPTS = 4;
const READS = 3;

export interface JoinPort {
  readonly clock: Clock;
  readonly random: () => number;
  /** Own address. */
  readonly address: string;
  /** Random waits last from 1 to this. Milliseconds. */
  readonly joinWait: number;
  /** Wait after an address in use, or an unknown error. Milliseconds. */
  readonly busyWait: number;
  readonly signal: AbortSignal;
  read(): Promise<Look>;
  /** How long the store must still stay empty before this process may found a group. Not positive: now. `Infinity`: not empty. */
  emptyFor(): number;
  /** Sends JOIN to the leader; `null` when it does not answer. */
  request(leader: NonNullable<LeaderRecord['leader']>, epoch: number): Promise<JoinAnswer | null>;
  failed(error: Error): void;
}

export type JoinResult =
  | {
      readonly outcome: 'accepted';
      readonly answer: Extract<JoinAnswer, { outcome: 'accepted' }>;
      readonly epoch: number;
    }
  /** No leader was found: become the leader. */
  | { readonly outcome: 'no-leader' }
  | { readonly outcome: 'aborted' };

interface FailedAttempt {
  readonly failure: JoinFailure | 'no-leader';
  readonly detail?: string;
  readonly cause?: unknown;
  readonly holder?: number;
}

/**
 * Joins a group by its leader's record in the store: four attempts, each with up to three reads. The result is `no-leader` if no
 * leader was found or answered, or if the record holds this process's own address. It is `no-leader` earlier as soon as the store
 * has been empty for long enough.
 *
 * @throws JoinError after four attempts, if in the last one the store was unavailable, the recorded process did not lead, the
 *   process's own address was in use, or the leader failed.
 */
export async function joinGroup(port: JoinPort): Promise<JoinResult> {
  const { signal } = port;
  let last: FailedAttempt = { failure: 'no-leader' };
  for (let attempt = 1; attempt <= ATTEMPTS && !signal.aborted; attempt++) {
    const found = await findLeader(port);
    if (signal.aborted) break;
    if (!('leader' in found)) {
      last = found;
      if (found.failure === 'no-leader' && port.emptyFor() <= 0) break;
      continue;
    }
    if (found.leader.address === port.address) {
      // An earlier process at this address left the record, or the configuration is wrong. The error shows when this process leads.
      last = { failure: 'no-leader' };
      await randomWait(port);
      continue;
    }
    const answer = await port.request(found.leader, found.epoch);
    if (signal.aborted) break;
    if (answer?.outcome === 'accepted') return { outcome: 'accepted', answer, epoch: found.epoch };
    last = await failedAttempt(port, answer);
  }
  if (signal.aborted) return { outcome: 'aborted' };
  const { failure, detail, cause, holder } = last;
  if (failure === 'no-leader' || failure === 'leader-unreachable') return { outcome: 'no-leader' };
  if (failure === 'address-in-use') throw new AddressInUseError(port.address, holder!, ATTEMPTS);
  throw new JoinError(failure, ATTEMPTS, detail, cause);
}

async function failedAttempt(
  port: JoinPort,
  answer: Exclude<JoinAnswer, { outcome: 'accepted' }> | null,
): Promise<FailedAttempt> {
  const { clock, busyWait, signal } = port;
  if (!answer || answer.outcome === 'not-leader') {
    await randomWait(port);
    return { failure: answer ? 'not-leader' : 'leader-unreachable' };
  }
  await pause(busyWait, clock, signal);
  if (answer.outcome === 'address-in-use') return { failure: 'address-in-use', holder: answer.holder };
  return { failure: 'unknown-error', detail: answer.reason };
}

type Found = { readonly leader: NonNullable<LeaderRecord['leader']>; readonly epoch: number };

async function findLeader(port: JoinPort): Promise<Found | FailedAttempt> {
  let last: FailedAttempt = { failure: 'no-leader' };
  for (let read = 1; read <= READS && !port.signal.aborted; read++) {
    try {
      const { record } = await port.read();
      if (record?.leader) return { leader: record.leader, epoch: record.epoch };
      last = { failure: 'no-leader' };
      if (port.emptyFor() <= 0) return last;
    } catch (thrown) {
      const error = toError(thrown);
      port.failed(error);
      last = { failure: 'store-unreachable', detail: error.message, cause: error };
    }
    await randomWait(port);
  }
  return last;
}

function randomWait({ random, joinWait, emptyFor, clock, signal }: JoinPort): Promise<void> {
  const wait = 1 + Math.floor(random() * joinWait);
  return pause(Math.min(wait, Math.max(1, Math.ceil(emptyFor()))), clock, signal);
}
