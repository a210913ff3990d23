import { getOrInsertComputed } from '@detector-cluster/election/internal';
import type { LogAddress } from '../log/log-address.js';
import type { LogObserver, MemoryLogServer, StoredDetection } from './memory-log-server.js';
import { compareIds, MemoryStream, parseId } from './memory-stream.js';

/** What has become of one detection in one log. */
export interface EntryFate {
  readonly log: LogAddress;
  readonly entry: StoredDetection;
  readonly detectionId: string;
  readonly subscription: string;
  /** `dropped`: removed because the log was full. Its owner may have had it, and then it is finished later. */
  state: 'present' | 'finished' | 'dropped' | 'dead-lettered' | 'wiped';
  /** It was finished, and appended once more, after another program had written to the log. */
  appendedAgain: boolean;
  /** How often a process has begun to handle it. */
  handled: number;
  /** Its callbacks have failed at least once. */
  failed: boolean;
  /** Its callbacks have all succeeded at least once. */
  succeeded: boolean;
  /** A master has called it accepted. */
  accepted: boolean;
  /** A failover has brought it back or let it in below ids that the owner may have read. Only the next owner is sure to find it. */
  isBelow: boolean;
}

type Position = Pick<StoredDetection, 'term' | 'sequence'>;

/** What a replica knows of the logs besides what is in them. */
interface Replicated {
  readonly numbers: ReadonlyMap<string, number>;
  readonly droppedIds: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface LedgerOptions {
  readonly server: MemoryLogServer;
  readonly violated: (what: string) => void;
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly overflow: 'drop-oldest' | 'refuse-new';
}

/** Who is to get an entry: its detection is in such a log once, and again only as a replay. */
const audienceOf = (log: LogAddress): string => (log.partition === null ? log.stream : 'owner');

/**
 * Tracks what happens to the entries of all logs, from what the server does in each step. Compares the owner records with
 * it, and detects entries that appear twice or disappear without having been handled.
 */
export class LogLedger implements LogObserver {
  /** Partitions that were taken from an owner that had not released them. */
  takes = 0;
  private readonly present = new Map<string, Set<EntryFate>>();
  private readonly fates = new Map<string, EntryFate>();
  private readonly latest = new Map<string, EntryFate>();
  /** Detections that the server does not remember, by their audience. */
  private readonly forgotten = new Set<string>();
  private readonly detections = new Set<string>();
  /** By stream, worker and subscription: the highest number of a detection that its worker has numbered. */
  private numbers = new Map<string, number>();
  private readonly lastIds = new Map<string, Position>();
  private droppedIds = new Map<string, Set<string>>();
  private onReplica: Replicated = { numbers: new Map(), droppedIds: new Map() };
  /** By stream: the highest id that was lost in a failover. */
  private readonly lostIds = new Map<string, Position>();
  /** The owner finishes what its server had and the replica has not, and the script takes that for entries that were dropped. */
  private hasFailedOver = false;
  /** Finished entries that are there again, because a replica has replaced the server. */
  returned = 0;
  /** Entries that Redis has lost, and that their owner has finished since. */
  private readonly finishedAfterLoss = new Map<string, Set<string>>();
  private readonly epochs = new Map<string, string>();
  /** Logs to which another program has added entries, which nothing has counted. */
  private readonly disturbedLogs = new Set<string>();

  constructor(private readonly options: LedgerOptions) {}

  /** Entries that there ever were. */
  get count(): number {
    return this.fates.size;
  }

  /** Entries of a stream that are in it. */
  presentIn(stream: string): ReadonlySet<EntryFate> {
    return this.presentOf(stream);
  }

  fateOf(log: LogAddress, id: string): EntryFate | undefined {
    return this.fates.get(`${log.stream} ${id}`);
  }

  /** Whether the detection has ever been in the log. */
  has(log: LogAddress, detectionId: string): boolean {
    return this.latest.has(`${audienceOf(log)} ${detectionId}`);
  }

  /** Whether the log has had a later detection of the subscription, by the numbers of its worker. */
  hasLater({ stream }: LogAddress, detectionId: string, subscription: string): boolean {
    const [boot, number] = detectionId.split('-') as [string, string];
    return Number(number) < (this.numbers.get(`${stream} ${boot} ${subscription}`) ?? 0);
  }

  hasAnywhere(detectionId: string): boolean {
    return this.detections.has(detectionId);
  }

  appended(log: LogAddress, entry: StoredDetection): void {
    const known = this.fates.get(`${log.stream} ${entry.id}`);
    // The reply to its append was lost, and it was finished before another program disturbed the log.
    if (known !== undefined && this.disturbedLogs.has(log.stream)) return this.comesBack(known);
    const last = this.lastIds.get(log.stream);
    if (last !== undefined && compareIds(entry, last) <= 0)
      this.violated(`${log.stream} got ${entry.id} after ${last.term}-${last.sequence}`);
    this.lastIds.set(log.stream, entry);
    const { detectionId, redelivered, subscription } = headOf(entry.message);
    // The replica that has replaced the server did not have it.
    const key = `${audienceOf(log)} ${detectionId}`;
    if (known?.detectionId === detectionId && !this.latest.has(key)) {
      this.forgotten.delete(key);
      this.latest.set(key, known);
      this.detections.add(detectionId);
      return this.comesBack(known);
    }
    const fate: EntryFate = {
      log,
      entry,
      detectionId,
      subscription,
      state: 'present',
      handled: 0,
      failed: false,
      succeeded: false,
      appendedAgain: false,
      accepted: false,
      isBelow: this.isBelow(log, entry),
    };
    const before = this.latest.get(key);
    if (before === undefined) this.checkNumber(fate);
    // Redis has forgotten it, or the number of partitions has changed since it was handled.
    const hasMoved = before !== undefined && before.log.stream !== log.stream;
    const isForgotten = this.forgotten.delete(key) || hasMoved;
    if (isForgotten) fate.appendedAgain = true;
    else if (before !== undefined && !redelivered)
      this.violated(`${detectionId} was appended as ${before.entry.id} and as ${entry.id}`);
    this.latest.set(key, fate);
    this.detections.add(detectionId);
    this.fates.set(`${log.stream} ${entry.id}`, fate);
    this.presentOf(log.stream).add(fate);
  }

  dropped(log: LogAddress, id: string): void {
    if (this.options.overflow === 'refuse-new') this.violated(`${id} was dropped`);
    const fate = this.fateOf(log, id);
    // Of another program: its entry counts as dropped, too.
    if (fate !== undefined) this.leaves(fate, 'dropped');
    this.droppedOf(log).add(id);
  }

  acknowledged(log: LogAddress, id: string): void {
    const fate = this.fateOf(log, id);
    if (fate === undefined) return;
    // The owner tells all that it has finished of the batch, also what has become a dead letter, or would have if it had not been dropped.
    if (fate.state === 'dead-lettered' || (fate.state === 'dropped' && fate.failed && !fate.succeeded))
      return;
    if (fate.state === 'wiped') {
      getOrInsertComputed(this.finishedAfterLoss, log.stream, () => new Set()).add(id);
      return;
    }
    if (!fate.succeeded) this.violated(`${id} was removed although its callbacks had not succeeded`);
    this.droppedOf(log).delete(id);
    this.leaves(fate, 'finished');
  }

  /** Another program has added an entry. */
  disturbed({ stream }: LogAddress): void {
    this.disturbedLogs.add(stream);
  }

  deadLettered(log: LogAddress, id: string): void {
    const fate = this.fateOf(log, id);
    // Of another program.
    if (fate === undefined) return;
    if (fate.state === 'dead-lettered') this.violated(`${id} became a dead letter again`);
    if (!fate.failed) this.violated(`${id} became a dead letter although its callbacks had not failed`);
    this.leaves(fate, 'dead-lettered');
  }

  granted(log: LogAddress, record: ReadonlyMap<string, string>): void {
    const epoch = record.get('epoch') ?? '';
    const before = this.epochs.get(log.stream);
    if (record.get('process') === '' ? epoch !== before : compareEpochs(epoch, before ?? '') <= 0)
      this.violated(`${log.stream} got the epoch ${epoch} after ${before}`);
    this.epochs.set(log.stream, epoch);
    if (record.get('origin') === 'taken') this.takes++;
  }

  accepted(log: LogAddress, detectionId: string): void {
    this.latest.get(`${audienceOf(log)} ${detectionId}`)!.accepted = true;
  }

  /** The replica has everything. */
  replicated(): void {
    this.onReplica = {
      numbers: new Map(this.numbers),
      droppedIds: new Map([...this.droppedIds].map(([stream, ids]) => [stream, new Set(ids)])),
    };
  }

  /** The replica has replaced the server. Its processes may have had, and finished, what it does not have. */
  rolledBack(): void {
    const { server } = this.options;
    this.numbers = new Map(this.onReplica.numbers);
    this.droppedIds = new Map([...this.onReplica.droppedIds].map(([stream, ids]) => [stream, new Set(ids)]));
    this.hasFailedOver = true;
    for (const [stream, last] of this.lastIds) {
      const lost = this.lostIds.get(stream);
      if (lost === undefined || compareIds(last, lost) > 0) this.lostIds.set(stream, last);
    }
    this.lastIds.clear();
    for (const fate of this.fates.values()) {
      const { detectionId, entry, log } = fate;
      const stream = server.streamOf(log) ?? new MemoryStream();
      const last = { term: stream.lastTerm, sequence: stream.lastSequence };
      this.lastIds.set(log.stream, last);
      const isThere = server.isUnfinished(log, entry);
      if (isThere && fate.state !== 'present') this.comesBack(fate);
      if (isThere || compareIds(parseId(entry.batch), last) <= 0) continue;
      if (fate.accepted && fate.state === 'present')
        this.violated(`${detectionId} was accepted, and the replica does not have it`);
      this.leaves(fate, 'wiped');
      const key = `${audienceOf(log)} ${detectionId}`;
      if (this.latest.get(key) !== fate) continue;
      this.latest.delete(key);
      this.detections.delete(detectionId);
      this.forgotten.add(key);
    }
    this.replicated();
  }

  called(log: LogAddress): void {
    const { maxBytes, maxEntries, overflow, server } = this.options;
    const { bytes = 0 } = server.streamOf(log) ?? {};
    const unfinished = this.presentOf(log.stream).size;
    const compare = (what: 'bytes' | 'detections' | 'dropped', real: number, missing = 0) => {
      const recorded = server.figure(log, what);
      if (recorded > real || recorded < real - missing)
        this.violated(`${log.stream} has ${real} ${what}, its record says ${recorded}`);
    };
    if (!this.disturbedLogs.has(log.stream)) {
      compare('bytes', bytes);
      compare('detections', unfinished);
    }
    // Redis takes an entry that it has lost, and that its owner has finished, for one that it has dropped.
    if (!this.hasFailedOver)
      compare('dropped', this.droppedOf(log).size, this.finishedAfterLoss.get(log.stream)?.size);
    if (!this.disturbedLogs.has(log.stream) && (unfinished > maxEntries || bytes > maxBytes))
      this.violated(`${log.stream} holds ${unfinished} detections of ${bytes} bytes (${overflow})`);
  }

  /** All data is lost. */
  wiped(): void {
    for (const fate of this.fates.values()) if (fate.state !== 'finished') this.leaves(fate, 'wiped');
    this.droppedIds.clear();
    this.finishedAfterLoss.clear();
    this.numbers.clear();
    for (const key of this.latest.keys()) this.forgotten.add(key);
    this.epochs.clear();
  }

  /** The first time that detections of a subscription are added, they are in the order of their worker. */
  private checkNumber({ detectionId, log, subscription }: EntryFate): void {
    const [boot, number] = detectionId.split('-') as [string, string];
    if (!boot.startsWith('boot')) return;
    const key = `${log.stream} ${boot} ${subscription}`;
    const highest = this.numbers.get(key) ?? 0;
    if (Number(number) < highest) this.violated(`${detectionId} was appended after ${boot}-${highest}`);
    else this.numbers.set(key, Number(number));
  }

  private isBelow({ stream }: LogAddress, entry: Position): boolean {
    const lost = this.lostIds.get(stream);
    return lost !== undefined && compareIds(entry, lost) <= 0;
  }

  private comesBack(fate: EntryFate): void {
    fate.state = 'present';
    fate.appendedAgain = true;
    if (fate.succeeded) this.returned++;
    fate.isBelow = this.isBelow(fate.log, fate.entry);
    this.presentOf(fate.log.stream).add(fate);
  }

  private leaves(fate: EntryFate, state: Exclude<EntryFate['state'], 'present'>): void {
    fate.state = state;
    this.presentOf(fate.log.stream).delete(fate);
  }

  private presentOf(stream: string): Set<EntryFate> {
    return getOrInsertComputed(this.present, stream, () => new Set());
  }

  private droppedOf({ stream }: LogAddress): Set<string> {
    return getOrInsertComputed(this.droppedIds, stream, () => new Set());
  }

  private violated(what: string): void {
    this.options.violated(what);
  }
}

const HEAD = /^{"detectionId":"([^"]*)".*?("redelivered":true)?,"data":{"subscriptionIdentifier":"([^"]*)"/;

function headOf(message: string) {
  const [, detectionId = '', redelivered, subscription = ''] = HEAD.exec(message) ?? [];
  return { detectionId, redelivered: redelivered !== undefined, subscription };
}

/** Negative where `a` is the earlier epoch. */
export function compareEpochs(a: string, b: string): number {
  const [aTerm = 0, aNumber = 0] = a.split('.').map(Number);
  const [bTerm = 0, bNumber = 0] = b.split('.').map(Number);
  return aTerm - bTerm || aNumber - bNumber;
}
