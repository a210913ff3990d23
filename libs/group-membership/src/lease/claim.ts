import type { AcquisitionReason, Clock } from '@detector-cluster/election';
import { instantOf, pause, toError, type ClockInstant } from '@detector-cluster/election/internal';
import { RECORD_VERSION, type LeaderRecord } from '../store/leader-record.js';
import type { Look, RecordAccess } from '../store/record-access.js';
import type { LeaseWatch } from './lease-watch.js';

/** The member that wants to lead. */
export interface Claimant {
  /** 0: it founds a group and takes the id 1. */
  readonly id: number;
  readonly epoch: number;
  readonly address: string;
  readonly name: string;
  readonly boot: string;
  /** How long it may act after a renewal, by any clock. Milliseconds. */
  readonly leaseTtl: number;
}

export interface ClaimOptions {
  readonly access: RecordAccess;
  readonly watch: LeaseWatch;
  readonly clock: Clock;
  readonly group: string;
  /** How often to read a record that another process holds. Milliseconds. */
  readonly interval: number;
  readonly claimant: Claimant;
  /** No other process can hold the record, so the claim does not wait. */
  readonly alone?: boolean;
  /**
   * Leads, but does not act yet, as soon as the store has been empty for this time. A leader whose record the store has lost writes it
   * again before that, if it reaches the store. Milliseconds. Default: the same wait as for any unchanged record.
   */
  readonly foundAfter?: number;
  /** The highest term that this process has seen. */
  floor(): number;
  /** The highest id and revision that this process knows, in case the store has lost them. */
  known(): { readonly lastId: number; readonly revision: number };
  /**
   * Called for each record that another process holds. `true` ends the claim: there is a leader.
   * @param changed The record has changed since the first read, so its holder is alive.
   */
  isLed(record: LeaderRecord, changed: boolean): boolean;
  /** Called last: whether enough members agree. */
  mayClaim(record: LeaderRecord | null): Promise<boolean>;
  failed(error: Error): void;
}

export type ClaimResult =
  | {
      readonly outcome: 'claimed';
      readonly record: LeaderRecord;
      readonly sentAt: ClockInstant;
      readonly reason: AcquisitionReason;
      /** From then on no other process may act. This process may not act before. Monotonic. */
      readonly actFrom: number;
    }
  | { readonly outcome: 'led' | 'aborted' };

/**
 * Tries to become the leader: at once if the record names no leader, else as soon as the record has been unchanged or absent
 * for a lease. With `foundAfter`, absence for that time is enough. Continues until this or another member leads, or `signal`
 * aborts.
 */
export async function claim(options: ClaimOptions, signal: AbortSignal): Promise<ClaimResult> {
  const { access, watch, clock, interval, claimant } = options;
  let first: Look | undefined;
  while (!signal.aborted) {
    try {
      const look = await access.read();
      if (signal.aborted) break;
      const { record } = look;
      first ??= look;
      const own = record?.leader?.boot === claimant.boot;
      if (record && !own && options.isLed(record, record.revision !== first.record?.revision))
        return { outcome: 'led' };
      const replaceable = own || options.alone ? -Infinity : watch.saw(look);
      const wait = Math.min(replaceable, emptyUntil(look, options)) - clock.now();
      if (wait > 0) {
        await pause(Math.min(wait, interval), clock, signal);
        continue;
      }
      if (await options.mayClaim(record)) {
        if (signal.aborted) break;
        const next = successor(look, options);
        const sentAt = instantOf(clock);
        const nobodyActs = look.text === null && access.durable;
        const actFrom = Math.max(nobodyActs ? -Infinity : replaceable, watch.barredUntil);
        if (await access.swap(look.text, JSON.stringify(next))) {
          watch.barredUntil = actFrom;
          return { outcome: 'claimed', record: next, sentAt, reason: reasonOf(look), actFrom };
        }
        continue;
      }
    } catch (error) {
      options.failed(toError(error));
    }
    await pause(interval, clock, signal);
  }
  return { outcome: 'aborted' };
}

/** When the store has been empty for long enough. Monotonic. */
function emptyUntil({ text }: Look, { watch, foundAfter = Infinity }: ClaimOptions): number {
  return text === null ? watch.emptySince! + foundAfter : Infinity;
}

function successor({ record }: Look, { claimant, clock, group, floor, known }: ClaimOptions): LeaderRecord {
  const { lastId, revision } = known();
  // The wall clock keeps terms increasing if neither the store nor a member remembers the last one.
  const term = Math.max((record?.term ?? 0) + 1, floor() + 1, Math.floor(clock.wallNow()));
  const founds = claimant.id === 0;
  const { address, name, boot, leaseTtl } = claimant;
  const id = founds ? 1 : claimant.id;
  return {
    version: RECORD_VERSION,
    group,
    epoch: founds ? term : claimant.epoch,
    term,
    revision: Math.max(record?.revision ?? 0, revision) + 1,
    leaseTtl,
    lastId: founds ? 1 : Math.max(record?.lastId ?? 0, lastId, id),
    leader: { id, address, name, boot },
    voters: founds ? [1] : (record?.voters ?? [id]),
  };
}

function reasonOf({ record }: Look): AcquisitionReason {
  if (!record) return 'vacant';
  return record.leader ? 'expired' : 'released';
}
