import type { LogAddress } from './log-address.js';

/** Entries for one log; their sequences are consecutive. */
export interface LogBatch {
  readonly log: LogAddress;
  /** Sequence of the first entry: the second half of its id. */
  readonly first: number;
  readonly messages: readonly string[];
  /** Of each message `<boot>-<seq> <subscription>` if its worker has numbered it, otherwise empty. */
  readonly origins: readonly string[];
}

/** What must have happened to a detection, beyond the reply of Redis, before it counts as accepted. */
export interface Acceptance {
  /** So many replicas have it. Default 0. */
  readonly replicas?: number;
  /** It is in the append-only file on the disk of Redis, and of these replicas. Default false. */
  readonly fsync?: boolean;
  /** How long a batch waits for that before it is tried again. Milliseconds. */
  readonly timeout: number;
}

export interface AppendOptions {
  /** Null: what Redis has answered is accepted. */
  readonly acceptance: Acceptance | null;
  /** Maximum number of unfinished entries of one log. */
  readonly maxBacklogEntries: number;
  /** Maximum bytes of their messages. */
  readonly maxBacklogBytes: number;
  /** Beyond a limit of a log: drop its oldest entries, or refuse new ones. */
  readonly overflow: 'drop-oldest' | 'refuse-new';
  readonly term: number;
  /** The term is over. Then nothing is appended to a log without an owner, because Redis may have lost what later terms have written. */
  readonly over: boolean;
}

export interface AppendResult {
  /** `deposed`: a later term has written to the log or granted it, or may have; nothing was written. */
  readonly code: 'done' | 'deposed';
  /** How many entries at the start of the batch are in the log; the others were refused because it is full. */
  readonly accepted: number;
  /** How many of these an earlier call had written, of this master or of one before. */
  readonly present: number;
  /** Entries of the log, and the bytes of their messages. */
  readonly entries: number;
  readonly bytes: number;
  /** Entries that were dropped because the log was full, since it was created, except those that were still delivered. */
  readonly dropped: number;
}

/** The finished entries of an owner in one log. Without entries, it only asks whether it is the owner. */
export interface Acknowledgement {
  readonly log: LogAddress;
  /** Empty for a listener stream, like the epoch. */
  readonly process: string;
  readonly epoch: string;
  /** Rises by one with each call of the epoch that has entries, and stays when a call is repeated. */
  readonly number: number;
  readonly entries: readonly { readonly id: string; readonly bytes: number }[];
}

/** `hand-over`: the caller is the owner, and is asked to release the log. `refused`: it is not the owner. */
export type Standing = 'owner' | 'hand-over' | 'refused';

/** The state in which an owner releases a log: no entry was begun, or some entries may have been begun. */
export type Rest = 'released' | 'unfinished';

export interface DeadLettering extends Omit<Acknowledgement, 'number' | 'entries'> {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Maximum number of dead letters to keep. */
  readonly most: number;
}

export interface OwnerRecord {
  /** Empty while no process owns it. */
  readonly process: string;
  /** `<term>.<n>`, only ever rising; empty before the first grant. */
  readonly epoch: string;
  /** The process that becomes the owner when the present one releases the partition; empty without a hand-over. */
  readonly next: string;
  /**
   * How the owner got the partition. `released`: the previous owner released it, with no entry started. `unfinished`: the
   * same, but some entries may have been started. `taken`: the master considered the previous owner dead. `new`:
   * there is no record of a previous owner.
   */
  readonly origin: Rest | 'taken' | 'new';
  /** Highest term that has granted the log; 0 before. */
  readonly term: number;
  readonly entries: number;
  readonly bytes: number;
  readonly dropped: number;
}

export interface Grant {
  readonly log: LogAddress;
  readonly action: 'take' | 'hand-over' | 'keep';
  readonly process: string;
  /** Empty with `keep`. */
  readonly epoch: string;
  /** The epoch of the record that the decision rests on. */
  readonly expected: string;
}

export type GrantResult = 'done' | 'changed' | 'deposed';

/** The terms that have been at a log, as far as the log shows. */
export interface TermClaim {
  /** The highest id that its stream ever had; empty without one. */
  readonly lastId: string;
  /** The term of its owner record; empty without one. */
  readonly recordTerm: string;
}

export interface Expulsion {
  readonly log: LogAddress;
  readonly term: number;
  /** The claim to end, as it was before the fence confirmed the term. */
  readonly claim: TermClaim;
  /** Sequence of the term up to which the outcome of all appends is known; 0 for none. */
  readonly settled: number;
  readonly fields: Readonly<Record<string, string>>;
  /** Maximum number of dead letters to keep. */
  readonly most: number;
}

/** Entries of a read: id and message, which is null if the entry no longer exists. */
export type RawEntry = readonly [id: string, message: string | null];

/**
 * Operations on logs in Redis. Each call is atomic for each of its logs, may be repeated when its outcome is unknown,
 * and rejects when Redis cannot be reached or refuses.
 */
export interface LogStore {
  append(batches: readonly LogBatch[], options: AppendOptions): Promise<AppendResult[]>;
  acknowledge(acknowledgements: readonly Acknowledgement[]): Promise<Standing[]>;
  deadLetter(letter: DeadLettering): Promise<{ readonly standing: Standing; readonly removed: number }>;
  records(logs: readonly LogAddress[]): Promise<OwnerRecord[]>;
  grant(term: number, grants: readonly Grant[]): Promise<GrantResult[]>;
  /** Ends the caller's ownership, for the process that the master has named, if it has. */
  release(log: LogAddress, process: string, epoch: string, rest: Rest): Promise<Standing>;
  /** Closes logs to earlier terms; their numbers of entries, or `deposed`. */
  seal(term: number, logs: readonly LogAddress[]): Promise<(number | 'deposed')[]>;
  fetch(log: LogAddress, ids: readonly string[]): Promise<RawEntry[]>;
  claims(logs: readonly LogAddress[]): Promise<TermClaim[]>;
  /**
   * Frees a log of a later term that has never begun: its entries become dead letters. Does nothing if the claim has changed.
   * @returns number of entries that became dead letters, or null if the claim has changed
   */
  expel(expulsion: Expulsion): Promise<number | null>;
}

export interface Cursor {
  readonly log: LogAddress;
  /** Id of the last entry that it has read; `0-0` for none. */
  readonly cursor: string;
  /** A reply to a read under another epoch is ignored. */
  readonly epoch: string;
}

export interface LogPage {
  readonly entries: readonly RawEntry[];
  /** The log had no more entries when it was read. */
  readonly complete: boolean;
}

/** The source from which an owner reads the entries of its logs. */
export interface LogSource {
  /**
   * Reads at most `count` entries of each log after its cursor. Waits up to `block` ms for the first; 0 does not wait. A read that
   * waits names all logs of this process; one that does not may name some of them.
   * @returns by stream; of logs on different nodes only those that have answered
   */
  read(cursors: readonly Cursor[], count: number, block: number): Promise<ReadonlyMap<string, LogPage>>;
}
