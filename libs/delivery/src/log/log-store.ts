import type { LogAddress } from './log-address.js';

/** The detections of one entry. */
export interface LogBatch {
  readonly count: number;
  /** Their messages, one a line. */
  readonly text: string;
}

/** Detections for one log; their sequences are consecutive. */
export interface LogAppend {
  readonly log: LogAddress;
  /** Sequence of the first detection. The id of a batch ends with the sequence of its first one. */
  readonly first: number;
  readonly batches: readonly LogBatch[];
  /** Of each detection `<boot>-<seq> <subscription>` if its worker has numbered it, otherwise empty. */
  readonly origins: readonly string[];
}

/** What must have happened to a detection, beyond the reply of Redis, before it counts as accepted. */
export interface Acceptance {
  /** So many replicas have it. Default 0. */
  readonly replicas?: number;
  /** It is in the append-only file on the disk of Redis, and of these replicas. Default false. */
  readonly fsync?: boolean;
  /** How long a call waits for that before it is tried again. Milliseconds. */
  readonly timeout: number;
}

export interface AppendOptions {
  /** Null: what Redis has answered is accepted. */
  readonly acceptance: Acceptance | null;
  /** Maximum number of unfinished detections of one log. */
  readonly maxBacklogEntries: number;
  /** Maximum bytes of messages in one log. */
  readonly maxBacklogBytes: number;
  /** Beyond a limit of a log: drop its oldest batches, or refuse new ones. */
  readonly overflow: 'drop-oldest' | 'refuse-new';
  readonly term: number;
  /** The term is over. Then nothing is appended to a log without an owner, because Redis may have lost what later terms have written. */
  readonly over: boolean;
}

export interface AppendResult {
  /** `deposed`: a later term has written to the log or granted it, or may have; nothing was written. */
  readonly code: 'done' | 'deposed';
  /** How many detections at the start of the call are in the log; the others were refused because it is full. */
  readonly accepted: number;
  /** How many of these an earlier call had written, of this master or of one before. */
  readonly present: number;
  /** Unfinished detections of the log. */
  readonly detections: number;
  /** Of all messages in it. */
  readonly bytes: number;
  /** Detections that were dropped because the log was full, since it was created, except those that were still delivered. */
  readonly dropped: number;
}

/** What an owner has finished of one batch. */
export interface FinishedBatch {
  readonly id: string;
  /** Of its messages, when it was read. */
  readonly bytes: number;
  /** How many of its detections this call brings. */
  readonly news: number;
  /** For each of its detections 1 if it is finished, otherwise 0. */
  readonly mask: string;
}

/** What an owner has finished in one log. Without batches, it only asks whether it is the owner. */
export interface Acknowledgement {
  readonly log: LogAddress;
  /** Empty for a listener stream, like the epoch. */
  readonly process: string;
  readonly epoch: string;
  /** Rises by one with each call of the epoch that has batches, and stays when a call is repeated. */
  readonly number: number;
  readonly batches: readonly FinishedBatch[];
}

/** `hand-over`: the caller is the owner, and is asked to release the log. `refused`: it is not the owner. */
export type Standing = 'owner' | 'hand-over' | 'refused';

/** The state in which an owner releases a log: no entry was begun, or some entries may have been begun. */
export type Rest = 'released' | 'unfinished';

/** Where a message is. */
export interface MessagePlace {
  /** Of its batch. */
  readonly id: string;
  /** Its line in the batch, from 0. */
  readonly place: number;
}

export interface DeadLettering extends Omit<Acknowledgement, 'number' | 'batches'>, MessagePlace {
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
  /** Unfinished ones. */
  readonly detections: number;
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

/** A batch that was read. */
export interface LogEntry {
  readonly id: string;
  /** Of its messages. */
  readonly bytes: number;
  /** The message of a detection that is finished may be empty. */
  readonly messages: readonly string[];
}

/**
 * Operations on logs in Redis. Each call is atomic for each of its logs, may be repeated when its outcome is unknown,
 * and rejects when Redis cannot be reached or refuses.
 */
export interface LogStore {
  append(appends: readonly LogAppend[], options: AppendOptions): Promise<AppendResult[]>;
  acknowledge(acknowledgements: readonly Acknowledgement[]): Promise<Standing[]>;
  deadLetter(letter: DeadLettering): Promise<{ readonly standing: Standing; readonly removed: number }>;
  records(logs: readonly LogAddress[]): Promise<OwnerRecord[]>;
  grant(term: number, grants: readonly Grant[]): Promise<GrantResult[]>;
  /** Ends the caller's ownership, for the process that the master has named, if it has. */
  release(log: LogAddress, process: string, epoch: string, rest: Rest): Promise<Standing>;
  /** Closes logs to earlier terms; their numbers of entries, or `deposed`. */
  seal(term: number, logs: readonly LogAddress[]): Promise<(number | 'deposed')[]>;
  /** Messages; empty where there is none any more. */
  fetch(log: LogAddress, places: readonly MessagePlace[]): Promise<string[]>;
  /** The masks of batches; empty where nothing is finished, null where the batch is not in the log any more. */
  masks(log: LogAddress, ids: readonly string[]): Promise<(string | null)[]>;
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
  readonly entries: readonly LogEntry[];
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
