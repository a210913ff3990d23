import type { LogAddress } from '../log/log-address.js';
import type {
  Acknowledgement,
  AppendOptions,
  AppendResult,
  Cursor,
  DeadLettering,
  Expulsion,
  Grant,
  GrantResult,
  LogBatch,
  LogPage,
  LogSource,
  LogStore,
  OwnerRecord,
  RawEntry,
  Rest,
  Standing,
  TermClaim,
} from '../log/log-store.js';
import { compareIds, MemoryStream, parseId, type StreamEntry } from './memory-stream.js';

/** What a broken server does. */
export type ServerDefect =
  | 'acknowledges for any caller'
  | 'ignores the numbers of acknowledgements'
  | 'appends a repeated entry again'
  | 'appends after the term to any log'
  | 'compares no boot'
  | 'confirms before its replica has it'
  | 'forgets what a master before has appended'
  | 'keeps the bytes of acknowledged entries'
  | 'takes for present what a later master has passed over'
  | 'grants what was taken as if it was released';

/** Called at every change of entries, at the instant of the change. */
export interface LogObserver {
  appended(log: LogAddress, entry: StreamEntry): void;
  /** Removed because the log was full. */
  dropped(log: LogAddress, entry: StreamEntry): void;
  /** An owner has finished an entry, which may have been dropped before. */
  acknowledged(log: LogAddress, id: string): void;
  deadLettered(log: LogAddress, id: string): void;
  granted(log: LogAddress, record: ReadonlyMap<string, string>): void;
  /** A call for the log is over. */
  called(log: LogAddress): void;
}

const noObserver: LogObserver = {
  appended: () => undefined,
  dropped: () => undefined,
  acknowledged: () => undefined,
  deadLettered: () => undefined,
  granted: () => undefined,
  called: () => undefined,
};

/** What a log has become. For comparison with a real server. */
export interface LogDump {
  readonly entries: readonly (readonly [id: string, message: string])[];
  /** Empty if there is no stream. */
  readonly lastId: string;
  readonly record: Readonly<Record<string, string>>;
  readonly letters: readonly (readonly string[])[];
  /** Keys of the log that expire. */
  readonly expiring: readonly string[];
}

interface Letter {
  readonly id: string;
  readonly fields: readonly string[];
}

/** All that a server has. */
export interface LogData {
  readonly streams: Map<string, MemoryStream>;
  readonly hashes: Map<string, Map<string, string>>;
  readonly letters: Map<string, readonly Letter[]>;
  readonly expiring: Set<string>;
}

const ORIGINS = ['released', 'unfinished', 'new'] as const;
const DROP_PER_CALL = 5_000;
const NONE: ReadonlyMap<string, string> = new Map();

/** The logs of one Redis: each method does for each log what the script of that name does, in one step. */
export class MemoryLogServer {
  observer: LogObserver = noObserver;
  /** Called where a script publishes that ownership has changed. */
  onReleased: () => void = () => undefined;
  private readonly defects: ReadonlySet<ServerDefect>;
  private streams = new Map<string, MemoryStream>();
  private hashes = new Map<string, Map<string, string>>();
  private letters = new Map<string, readonly Letter[]>();
  private expiring = new Set<string>();
  private deadLettered = 0;

  constructor(defects: readonly ServerDefect[] = []) {
    this.defects = new Set(defects);
  }

  append(batches: readonly LogBatch[], options: AppendOptions): AppendResult[] {
    return batches.map((batch) =>
      this.called(batch.log, () => {
        const result = this.appendTo(batch, options);
        this.expire(batch.log);
        return result;
      }),
    );
  }

  acknowledge(acknowledgements: readonly Acknowledgement[]): Standing[] {
    return acknowledgements.map((each) => this.called(each.log, () => this.acknowledgeIn(each)));
  }

  deadLetter(letter: DeadLettering): { readonly standing: Standing; readonly removed: number } {
    return this.called(letter.log, () => this.deadLetterIn(letter));
  }

  grant(term: number, grants: readonly Grant[]): GrantResult[] {
    return grants.map((grant) => this.called(grant.log, () => this.grantOne(term, grant)));
  }

  release(log: LogAddress, process: string, epoch: string, rest: Rest): Standing {
    return this.called(log, () => {
      const record = this.recordOf(log);
      if (record.get('process') !== process || record.get('epoch') !== epoch) return 'refused';
      const next = record.get('next');
      const nextEpoch = record.get('nextEpoch');
      if (next !== undefined && nextEpoch !== undefined)
        this.set(log, { process: next, epoch: nextEpoch, origin: rest });
      else this.set(log, { process: '', origin: rest });
      this.unset(log, 'next', 'nextEpoch', 'acknowledged');
      this.observer.granted(log, this.recordOf(log));
      this.onReleased();
      return 'owner';
    });
  }

  seal(term: number, logs: readonly LogAddress[]): (number | 'deposed')[] {
    return logs.map((log) => {
      if (this.figure(log, 'term') > term) return 'deposed';
      this.set(log, { term: String(term) });
      return this.lengthOf(log);
    });
  }

  records(logs: readonly LogAddress[]): OwnerRecord[] {
    return logs.map((log) => {
      const record = this.recordOf(log);
      const text = (field: string) => record.get(field) ?? '';
      const origin = text('origin');
      return {
        process: text('process'),
        epoch: text('epoch'),
        next: text('next'),
        origin: ORIGINS.find((each) => each === origin) ?? 'taken',
        term: this.figure(log, 'term'),
        entries: this.lengthOf(log),
        bytes: this.figure(log, 'bytes'),
        dropped: this.figure(log, 'dropped'),
      };
    });
  }

  fetch({ stream }: LogAddress, ids: readonly string[]): RawEntry[] {
    return ids.map((id) => [id, this.streams.get(stream)?.get(id)?.message ?? null]);
  }

  claims(logs: readonly LogAddress[]): TermClaim[] {
    return logs.map((log) => ({
      lastId: this.lastIdOf(log),
      recordTerm: this.recordOf(log).get('term') ?? '',
    }));
  }

  expel(expulsion: Expulsion): number | null {
    return this.called(expulsion.log, () => this.expelFrom(expulsion));
  }

  /** Another program adds an entry, with an id of its own. Does nothing if the stream has a higher id. */
  addForeign({ stream }: LogAddress, term: number, message: string): void {
    const entries = this.streams.get(stream) ?? new MemoryStream();
    entries.add(term, 0, message);
    this.streams.set(stream, entries);
  }

  /** Without waiting. By stream, those without news, too. */
  read(cursors: readonly Cursor[], count: number): Map<string, LogPage> {
    return new Map(
      cursors.map(({ log, cursor }) => {
        const entries = this.streams.get(log.stream)?.after(cursor, count) ?? [];
        return [log.stream, { entries, complete: entries.length < count }];
      }),
    );
  }

  /** Dead letters beside a log, oldest first. */
  lettersOf({ letters }: LogAddress): readonly Letter[] {
    return this.letters.get(letters) ?? [];
  }

  removeLetter({ letters }: LogAddress, id: string): void {
    this.letters.set(
      letters,
      (this.letters.get(letters) ?? []).filter((letter) => letter.id !== id),
    );
  }

  streamOf({ stream }: LogAddress): MemoryStream | undefined {
    return this.streams.get(stream);
  }

  /** A number of the owner record; 0 where it is missing. */
  figure(log: LogAddress, field: 'term' | 'bytes' | 'dropped' | 'acknowledged'): number {
    return Number(this.recordOf(log).get(field) ?? 0);
  }

  ownerOf(log: LogAddress): string {
    return this.recordOf(log).get('process') ?? '';
  }

  loseEverything(): void {
    this.streams.clear();
    this.hashes.clear();
    this.letters.clear();
    this.expiring.clear();
  }

  /** As a replica has it that has received everything. */
  copy(): LogData {
    return {
      streams: new Map([...this.streams].map(([key, stream]) => [key, stream.copy()])),
      hashes: new Map([...this.hashes].map(([key, hash]) => [key, new Map(hash)])),
      letters: new Map(this.letters),
      expiring: new Set(this.expiring),
    };
  }

  /** The server becomes one that has these data. They are its own from now on. */
  become({ expiring, hashes, letters, streams }: LogData): void {
    this.streams = streams;
    this.hashes = hashes;
    this.letters = letters;
    this.expiring = expiring;
  }

  dump(log: LogAddress): LogDump {
    const stream = this.streamOf(log);
    return {
      entries: (stream?.entries ?? []).map(({ id, message }) => [id, message]),
      lastId: this.lastIdOf(log),
      record: Object.fromEntries(this.recordOf(log)),
      letters: this.lettersOf(log).map(({ fields }) => fields),
      expiring: [log.stream, log.record].filter((key) => this.expiring.has(key)),
    };
  }

  private appendTo({ log, first, messages, origins }: LogBatch, options: AppendOptions): AppendResult {
    const {
      acceptance,
      maxBacklogBytes: maxBytes,
      maxBacklogEntries: maxEntries,
      over,
      overflow,
      term,
    } = options;
    const deposed: AppendResult = {
      code: 'deposed',
      accepted: 0,
      present: 0,
      entries: 0,
      bytes: 0,
      dropped: 0,
    };
    if (this.figure(log, 'term') > term) return deposed;
    if (over && !this.recordOf(log).has('process') && !this.has('appends after the term to any log'))
      return deposed;
    let length = this.lengthOf(log);
    const counted = this.figure(log, 'bytes');
    let bytes = length === 0 ? 0 : counted;
    let accepted = 0;
    let present = 0;
    for (const [i, message] of messages.entries()) {
      const origin = /^(\w+)-(\d+) (.*)$/s.exec(origins[i]!);
      if (origin !== null && this.isRepeated(log, origin)) {
        const isLater = (this.streamOf(log)?.lastTerm ?? 0) > term;
        if (isLater && !this.has('takes for present what a later master has passed over')) return deposed;
        accepted++;
        present++;
        continue;
      }
      const full =
        overflow === 'refuse-new' && (length >= maxEntries || bytes + Buffer.byteLength(message) > maxBytes);
      const entry = full ? undefined : this.add(log, term, first + i, message);
      if (entry === undefined) {
        const stream = this.streamOf(log);
        if (stream !== undefined && stream.lastTerm > term) return deposed;
        if (stream === undefined || stream.lastTerm !== term || stream.lastSequence < first + i) break;
        present++;
      } else {
        length++;
        bytes += entry.bytes;
        if (origin !== null) this.set(log, { [`sent:${origin[3]}`]: `${origin[1]}-${origin[2]}` });
      }
      accepted++;
    }
    let dropped = 0;
    if (overflow === 'drop-oldest')
      for (; dropped < DROP_PER_CALL && length > 0 && (length > maxEntries || bytes > maxBytes); dropped++) {
        const oldest = this.streamOf(log)!.deleteOldest();
        length--;
        bytes -= oldest.bytes;
        this.observer.dropped(log, oldest);
      }
    if (acceptance !== null || bytes !== counted) this.set(log, { bytes: String(bytes) });
    if (dropped > 0) this.set(log, { dropped: String(this.figure(log, 'dropped') + dropped) });
    return { code: 'done', accepted, present, entries: length, bytes, dropped: this.figure(log, 'dropped') };
  }

  private isRepeated(log: LogAddress, [, boot, seq, subscription]: RegExpExecArray): boolean {
    if (this.has('forgets what a master before has appended')) return false;
    const [lastBoot, last] = (this.recordOf(log).get(`sent:${subscription}`) ?? '').split('-');
    return (lastBoot === boot || this.has('compares no boot')) && Number(seq) <= Number(last);
  }

  private add(log: LogAddress, term: number, sequence: number, message: string): StreamEntry | undefined {
    const stream = this.streamOf(log) ?? new MemoryStream();
    let entry = stream.add(term, sequence, message);
    if (entry === undefined && stream.lastTerm === term && this.has('appends a repeated entry again'))
      entry = stream.add(term, stream.lastSequence + 1, message);
    if (entry === undefined) return undefined;
    this.streams.set(log.stream, stream);
    this.observer.appended(log, entry);
    return entry;
  }

  private acknowledgeIn({ log, process, epoch, number, entries }: Acknowledgement): Standing {
    const standing = this.standingOf(log, process, epoch);
    if (standing === 'refused') return standing;
    const repeated = number <= this.figure(log, 'acknowledged');
    if (entries.length === 0 || (repeated && !this.has('ignores the numbers of acknowledgements')))
      return standing;
    const oldest = this.streamOf(log)?.entries[0];
    const late = entries.filter(
      ({ id }) => oldest === undefined || compareIds(parseId(id), oldest) < 0,
    ).length;
    let freed = 0;
    for (const { id, bytes } of entries) {
      if (this.streamOf(log)?.delete(id) !== undefined) freed += bytes;
      this.observer.acknowledged(log, id);
    }
    this.set(log, { acknowledged: String(number) });
    if (!this.has('keeps the bytes of acknowledged entries')) {
      if (this.lengthOf(log) === 0) this.set(log, { bytes: '0' });
      else if (freed > 0) this.set(log, { bytes: String(this.figure(log, 'bytes') - freed) });
    }
    const dropped = this.figure(log, 'dropped');
    if (late > 0 && dropped > 0) this.set(log, { dropped: String(dropped - Math.min(late, dropped)) });
    if (process === '') this.expiring.add(log.record);
    return standing;
  }

  private deadLetterIn({ log, process, epoch, id, fields, most }: DeadLettering) {
    if (this.standingOf(log, process, epoch) === 'refused')
      return { standing: 'refused', removed: 0 } as const;
    const standing = 'owner' as const;
    const entry = this.streamOf(log)?.delete(id);
    if (entry === undefined) return { standing, removed: 0 };
    this.observer.deadLettered(log, id);
    this.set(log, { bytes: String(this.figure(log, 'bytes') - entry.bytes) });
    this.addLetter(log, entry.message, fields);
    return { standing, removed: this.keepLetters(log, most) };
  }

  private addLetter(log: LogAddress, message: string, fields: Readonly<Record<string, string>>): void {
    const letter = {
      id: `${++this.deadLettered}-0`,
      fields: ['message', message, ...Object.entries(fields).flat()],
    };
    this.letters.set(log.letters, [...this.lettersOf(log), letter]);
  }

  /** Returns how many were removed. */
  private keepLetters(log: LogAddress, most: number): number {
    const letters = this.lettersOf(log);
    const removed = Math.max(0, letters.length - most);
    this.letters.set(log.letters, letters.slice(removed));
    return removed;
  }

  private expelFrom({ claim, fields, log, most, settled, term }: Expulsion): number | null {
    const [{ lastId, recordTerm }] = this.claims([log]) as [TermClaim];
    if (lastId !== claim.lastId || recordTerm !== claim.recordTerm) return null;
    this.set(log, { term: String(term) });
    const stream = this.streamOf(log);
    if (stream === undefined || stream.lastTerm <= term) return 0;
    const kept = new MemoryStream();
    const expelled = stream.entries.filter((entry) => entry.term > term);
    for (const entry of stream.entries)
      if (entry.term <= term) kept.add(entry.term, entry.sequence, entry.message);
    const present = kept.length > 0;
    const mark = settled === 0 ? undefined : kept.add(term, settled, '');
    if (mark !== undefined) kept.delete(mark.id);
    if (present || mark !== undefined) this.streams.set(log.stream, kept);
    else this.streams.delete(log.stream);
    this.expiring.delete(log.stream);
    for (const { message } of expelled) this.addLetter(log, message, fields);
    this.keepLetters(log, most);
    this.set(log, { process: '', origin: 'taken', bytes: String(kept.bytes) });
    return expelled.length;
  }

  private grantOne(term: number, { log, action, process, epoch, expected }: Grant): GrantResult {
    const record = this.recordOf(log);
    const lastTerm = this.streamOf(log)?.lastTerm ?? 0;
    if (this.figure(log, 'term') > term || lastTerm > term) return 'deposed';
    const present = record.get('epoch');
    if (present === epoch || record.get('nextEpoch') === epoch) return 'done';
    if ((present ?? '') !== expected) return 'changed';
    const givenUp = record.get('process') === '' ? record.get('origin') : undefined;
    this.set(log, { term: String(term) });
    if (action === 'keep') {
      this.unset(log, 'next', 'nextEpoch');
    } else if (action === 'hand-over') {
      this.set(log, { next: process, nextEpoch: epoch });
    } else {
      const taken = this.has('grants what was taken as if it was released') ? 'released' : 'taken';
      this.set(log, { process, epoch, origin: present === undefined ? 'new' : (givenUp ?? taken) });
      this.unset(log, 'next', 'nextEpoch', 'acknowledged');
      this.observer.granted(log, this.recordOf(log));
    }
    return 'done';
  }

  private standingOf(log: LogAddress, process: string, epoch: string): Standing {
    const record = this.recordOf(log);
    const isOwner =
      process === '' || (record.get('process') === process && (record.get('epoch') ?? '') === epoch);
    if (!isOwner && !this.has('acknowledges for any caller')) return 'refused';
    return record.has('next') ? 'hand-over' : 'owner';
  }

  private lastIdOf(log: LogAddress): string {
    const stream = this.streamOf(log);
    return stream === undefined ? '' : `${stream.lastTerm}-${stream.lastSequence}`;
  }

  private lengthOf(log: LogAddress): number {
    return this.streamOf(log)?.length ?? 0;
  }

  private recordOf({ record }: LogAddress): ReadonlyMap<string, string> {
    return this.hashes.get(record) ?? NONE;
  }

  private set({ record }: LogAddress, fields: Readonly<Record<string, string>>): void {
    const hash = this.hashes.get(record) ?? new Map<string, string>();
    for (const [field, value] of Object.entries(fields)) hash.set(field, value);
    this.hashes.set(record, hash);
  }

  private unset({ record }: LogAddress, ...fields: readonly string[]): void {
    for (const field of fields) this.hashes.get(record)?.delete(field);
  }

  private expire({ lifetime, record, stream }: LogAddress): void {
    if (lifetime === 0) return;
    if (this.streams.has(stream)) this.expiring.add(stream);
    if (this.hashes.has(record)) this.expiring.add(record);
  }

  private called<T>(log: LogAddress, call: () => T): T {
    const result = call();
    this.observer.called(log);
    return result;
  }

  private has(defect: ServerDefect): boolean {
    return this.defects.has(defect);
  }
}

/** The ports of delivery straight to a server in memory, without a network in between. Reading does not wait. */
export function memoryLogStore(server: MemoryLogServer): LogStore & LogSource {
  return {
    append: async (batches, options) => server.append(batches, options),
    acknowledge: async (acknowledgements) => server.acknowledge(acknowledgements),
    deadLetter: async (letter) => server.deadLetter(letter),
    records: async (logs) => server.records(logs),
    grant: async (term, grants) => server.grant(term, grants),
    release: async (log, process, epoch, rest) => server.release(log, process, epoch, rest),
    seal: async (term, logs) => server.seal(term, logs),
    fetch: async (log, ids) => server.fetch(log, ids),
    claims: async (logs) => server.claims(logs),
    expel: async (expulsion) => server.expel(expulsion),
    read: async (cursors, count) => server.read(cursors, count),
  };
}
