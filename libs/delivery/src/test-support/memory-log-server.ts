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
  LogAppend,
  LogPage,
  LogSource,
  LogStore,
  MessagePlace,
  OwnerRecord,
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
  | 'counts the bytes of a batch for each part of it'
  | 'makes a dead letter and leaves its detection'
  | 'clears what is not finished'
  | 'writes a rest at the end of its log'
  | 'takes for present what a later master has passed over'
  | 'grants what was taken as if it was released';

/** One detection of a log. Its id is that of its batch, with its own sequence. */
export interface StoredDetection {
  /** `<term>-<sequence>` */
  readonly id: string;
  readonly term: number;
  readonly sequence: number;
  /** Id of its batch. */
  readonly batch: string;
  readonly message: string;
}

/** Called at every change of detections, at the instant of the change. */
export interface LogObserver {
  appended(log: LogAddress, detection: StoredDetection): void;
  /** Removed because the log was full. */
  dropped(log: LogAddress, id: string): void;
  /** An owner has finished a detection, which may have been dropped before. */
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
  readonly entries: readonly (readonly [id: string, fields: readonly string[]])[];
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

/** No batch has so many detections. */
const BEYOND = 100;
/** How far an owner is with a batch: the field `done:<id>` of the record. */
interface Progress {
  readonly mask: string;
  readonly bytes: number;
  readonly cleared: number;
}

const NONE: ReadonlyMap<string, string> = new Map();

const ones = (mask: string): number => mask.replaceAll('0', '').length;

const fieldsOf = ({ isForeign, lines }: StreamEntry): string[] =>
  isForeign ? ['message', lines[0]!] : ['detections', String(lines.length), 'messages', lines.join('\n')];

/** The id of a detection. @param batch id of its batch */
export function detectionAt(batch: string, place: number): string {
  const { sequence, term } = parseId(batch);
  return `${term}-${sequence + place}`;
}

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

  append(appends: readonly LogAppend[], options: AppendOptions): AppendResult[] {
    return appends.map((each) =>
      this.called(each.log, () => {
        const result = this.appendTo(each, options);
        this.expire(each.log);
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
        detections: this.lengthOf(log) === 0 ? 0 : this.figure(log, 'detections'),
        bytes: this.figure(log, 'bytes'),
        dropped: this.figure(log, 'dropped'),
      };
    });
  }

  fetch({ stream }: LogAddress, places: readonly MessagePlace[]): string[] {
    return places.map(({ id, place }) => this.streams.get(stream)?.get(id)?.lines[place] ?? '');
  }

  masks(log: LogAddress, ids: readonly string[]): (string | null)[] {
    const isThere = (id: string) => this.streamOf(log)?.get(id) !== undefined;
    return ids.map((id) => (isThere(id) ? (this.progressOf(log, id)?.mask ?? '') : null));
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
    entries.add(term, 0, [message], true);
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

  /** Whether the detection is in the log, and not finished. */
  isUnfinished(log: LogAddress, { batch, sequence }: StoredDetection): boolean {
    if (this.streamOf(log)?.get(batch) === undefined) return false;
    return this.progressOf(log, batch)?.mask[sequence - parseId(batch).sequence] !== '1';
  }

  streamOf({ stream }: LogAddress): MemoryStream | undefined {
    return this.streams.get(stream);
  }

  /** A number of the owner record; 0 where it is missing. */
  figure(log: LogAddress, field: 'term' | 'bytes' | 'detections' | 'dropped' | 'acknowledged'): number {
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
      entries: (stream?.entries ?? []).map((entry) => [entry.id, fieldsOf(entry)]),
      lastId: this.lastIdOf(log),
      record: Object.fromEntries(this.recordOf(log)),
      letters: this.lettersOf(log).map(({ fields }) => fields),
      expiring: [log.stream, log.record].filter((key) => this.expiring.has(key)),
    };
  }

  private appendTo({ log, first, batches, origins }: LogAppend, options: AppendOptions): AppendResult {
    const { acceptance, maxBacklogBytes, maxBacklogEntries, over, overflow, term } = options;
    const deposed: AppendResult = {
      code: 'deposed',
      accepted: 0,
      present: 0,
      detections: 0,
      bytes: 0,
      dropped: 0,
    };
    if (this.figure(log, 'term') > term) return deposed;
    if (over && !this.recordOf(log).has('process') && !this.has('appends after the term to any log'))
      return deposed;
    const size = this.sizeOf(log);
    let accepted = 0;
    let present = 0;
    let hasCompacted = overflow === 'drop-oldest';
    let from = 0;
    for (const { count, text } of batches) {
      const sequence = first + from;
      const { lines, news } = this.withoutRepeated(log, text.split('\n'), origins.slice(from, from + count));
      const lastTerm = this.streamOf(log)?.lastTerm ?? 0;
      if (
        lines.length < count &&
        lastTerm > term &&
        !this.has('takes for present what a later master has passed over')
      )
        return deposed;
      from += count;
      if (lines.length === 0) {
        accepted += count;
        present += count;
        continue;
      }
      const bytes = Buffer.byteLength(lines.join('\n'));
      if (!hasCompacted && size.bytes + bytes > maxBacklogBytes) {
        size.bytes -= this.compact(log, size.detections);
        hasCompacted = true;
      }
      const isFull =
        size.detections + lines.length > maxBacklogEntries || size.bytes + bytes > maxBacklogBytes;
      const isRefused = isFull && overflow === 'refuse-new';
      if (!isRefused && this.add(log, term, sequence, lines)) {
        size.detections += lines.length;
        size.bytes += bytes;
        present += count - lines.length;
        this.set(log, Object.fromEntries(news));
      } else {
        const stream = this.streamOf(log);
        if (stream !== undefined && stream.lastTerm > term) return deposed;
        if (stream === undefined || stream.lastTerm !== term || stream.lastSequence < sequence) break;
        present += count;
      }
      accepted += count;
    }
    let dropped = 0;
    if (overflow === 'drop-oldest') {
      const isOver = () => size.detections > maxBacklogEntries || size.bytes > maxBacklogBytes;
      if (size.bytes > maxBacklogBytes) size.bytes -= this.compact(log, size.detections);
      while (dropped < DROP_PER_CALL && this.lengthOf(log) > 0 && isOver()) {
        const { bytes, lost } = this.dropOldest(log);
        size.detections -= lost;
        size.bytes -= bytes;
        dropped += lost;
      }
    }
    const { bytes, detections } = size;
    const counted = { bytes: this.figure(log, 'bytes'), detections: this.figure(log, 'detections') };
    if (acceptance !== null || bytes !== counted.bytes || detections !== counted.detections)
      this.set(log, { bytes: String(bytes), detections: String(detections) });
    if (dropped > 0) this.set(log, { dropped: String(this.figure(log, 'dropped') + dropped) });
    return { code: 'done', accepted, present, detections, bytes, dropped: this.figure(log, 'dropped') };
  }

  /** As the record says, or as it is if the record does not say it. */
  private sizeOf(log: LogAddress): { bytes: number; detections: number } {
    if (this.lengthOf(log) === 0) return { bytes: 0, detections: 0 };
    const record = this.recordOf(log);
    if (!record.has('bytes') || !record.has('detections')) return this.measure(log);
    return { bytes: this.figure(log, 'bytes'), detections: this.figure(log, 'detections') };
  }

  private measure(log: LogAddress): { bytes: number; detections: number } {
    const stream = this.streamOf(log);
    let detections = 0;
    for (const { id, lines } of stream?.entries ?? [])
      detections += lines.length - ones(this.progressOf(log, id)?.mask ?? '');
    return { bytes: stream?.bytes ?? 0, detections };
  }

  private progressOf(log: LogAddress, id: string): Progress | undefined {
    const [mask, bytes, cleared] = (this.recordOf(log).get(`done:${id}`) ?? '').split(' ');
    return cleared === undefined
      ? undefined
      : { mask: mask!, bytes: Number(bytes), cleared: Number(cleared) };
  }

  private setProgress(log: LogAddress, id: string, { mask, bytes, cleared }: Progress): void {
    this.set(log, { [`done:${id}`]: `${mask} ${bytes} ${cleared}` });
  }

  /** Removes the messages of finished detections from batches that are not finished. Returns how many bytes that has freed. */
  private compact(log: LogAddress, unfinished: number): number {
    const known = new Map<string, Progress>();
    let finished = 0;
    for (const field of this.recordOf(log).keys()) {
      if (!field.startsWith('done:')) continue;
      const progress = this.progressOf(log, field.slice(5))!;
      known.set(field.slice(5), progress);
      finished += ones(progress.mask) - progress.cleared;
    }
    if (finished === 0 || finished * 3 < unfinished) return 0;
    const stream = this.streamOf(log);
    let freed = 0;
    const entries = stream?.entries.slice() ?? [];
    for (const entry of entries) {
      const mask = known.get(entry.id)?.mask;
      if (mask === undefined) continue;
      known.delete(entry.id);
      if (this.has('writes a rest at the end of its log')) {
        stream!.delete(entry.id);
        const rest = entry.lines.filter((_, place) => mask[place] !== '1');
        this.add(log, stream!.lastTerm, stream!.lastSequence + BEYOND, rest);
        continue;
      }
      freed += stream!.rewrite(
        entry,
        entry.lines.map((line, place) =>
          mask[place] === '1' || this.has('clears what is not finished') ? '' : line,
        ),
      );
      this.setProgress(log, entry.id, { mask, bytes: stream!.get(entry.id)!.bytes, cleared: ones(mask) });
    }
    for (const id of known.keys()) this.unset(log, `done:${id}`);
    return freed;
  }

  /** Returns the bytes of the oldest batch, and how many unfinished detections it had. */
  private dropOldest(log: LogAddress): { bytes: number; lost: number } {
    const oldest = this.streamOf(log)!.deleteOldest();
    const mask = this.progressOf(log, oldest.id)?.mask ?? '';
    this.unset(log, `done:${oldest.id}`);
    let lost = 0;
    for (const place of oldest.lines.keys()) {
      if (mask[place] === '1') continue;
      lost++;
      this.observer.dropped(log, detectionAt(oldest.id, place));
    }
    return { bytes: oldest.bytes, lost };
  }

  /** The messages of the detections that the log has not had, and the numbers to remember. */
  private withoutRepeated(log: LogAddress, lines: readonly string[], origins: readonly string[]) {
    const news = new Map<string, string>();
    const kept = lines.filter((_, place) => {
      const origin = /^(\w+)-(\d+) (.*)$/s.exec(origins[place] ?? '');
      if (origin === null) return true;
      const [, boot, seq, subscription] = origin;
      const field = `sent:${subscription}`;
      const [lastBoot, last] = (news.get(field) ?? this.recordOf(log).get(field) ?? '').split('-');
      const isRepeated = (lastBoot === boot || this.has('compares no boot')) && Number(seq) <= Number(last);
      if (isRepeated && !this.has('forgets what a master before has appended')) return false;
      news.set(field, `${boot}-${seq}`);
      return true;
    });
    return { lines: kept, news };
  }

  /** Returns whether it was added. */
  private add(log: LogAddress, term: number, sequence: number, lines: readonly string[]): boolean {
    const stream = this.streamOf(log) ?? new MemoryStream();
    let entry = stream.add(term, sequence, lines);
    if (entry === undefined && stream.lastTerm === term && this.has('appends a repeated entry again'))
      entry = stream.add(term, stream.lastSequence + BEYOND, lines);
    if (entry === undefined) return false;
    this.streams.set(log.stream, stream);
    for (const [place, message] of lines.entries())
      this.observer.appended(log, {
        id: detectionAt(entry.id, place),
        term,
        sequence: entry.sequence + place,
        batch: entry.id,
        message,
      });
    return true;
  }

  private acknowledgeIn({ log, process, epoch, number, batches }: Acknowledgement): Standing {
    const standing = this.standingOf(log, process, epoch);
    if (standing === 'refused') return standing;
    const repeated = number <= this.figure(log, 'acknowledged');
    if (batches.length === 0 || (repeated && !this.has('ignores the numbers of acknowledgements')))
      return standing;
    const record = this.recordOf(log);
    const [bytes, detections] = [record.get('bytes'), record.get('detections')];
    const dropped = this.figure(log, 'dropped');
    const oldest = this.streamOf(log)?.entries[0];
    let isCertain = bytes !== undefined && detections !== undefined;
    let [freed, finished, late] = [0, 0, 0];
    const known = batches.map(({ id }) => this.progressOf(log, id));
    for (const [i, { id, mask, news, ...batch }] of batches.entries()) {
      const before = known[i];
      for (const place of [...mask].keys())
        if (mask[place] === '1' && before?.mask[place] !== '1')
          this.observer.acknowledged(log, detectionAt(id, place));
      if (dropped > 0 && (oldest === undefined || compareIds(parseId(id), oldest) < 0)) {
        late += news;
        continue;
      }
      const size = before?.bytes ?? batch.bytes;
      const isPart = mask.includes('0');
      // Of a batch that is lost, nothing is left to note.
      if (isPart && before === undefined && this.streamOf(log)?.get(id) === undefined) continue;
      finished += ones(mask) - ones(before?.mask ?? '');
      if (isPart) {
        this.setProgress(log, id, { mask, bytes: size, cleared: before?.cleared ?? 0 });
        if (this.has('counts the bytes of a batch for each part of it')) freed += size;
        continue;
      }
      freed += size;
      if (this.streamOf(log)?.delete(id) === undefined) isCertain = false;
      this.unset(log, `done:${id}`);
    }
    const left = isCertain
      ? { bytes: Number(bytes) - freed, detections: Number(detections) - finished }
      : this.measure(log);
    if (this.has('keeps the bytes of acknowledged entries')) left.bytes = Number(bytes ?? 0);
    this.set(log, {
      acknowledged: String(number),
      bytes: String(left.bytes),
      detections: String(left.detections),
    });
    if (late > 0) this.set(log, { dropped: String(dropped - Math.min(late, dropped)) });
    if (process === '') this.expiring.add(log.record);
    return standing;
  }

  private deadLetterIn({ log, process, epoch, id, place, fields, most }: DeadLettering) {
    if (this.standingOf(log, process, epoch) === 'refused')
      return { standing: 'refused', removed: 0 } as const;
    const standing = 'owner' as const;
    const entry = this.streamOf(log)?.get(id);
    const before = this.progressOf(log, id);
    const message = entry?.lines[place];
    if (entry === undefined || message === undefined || message === '' || before?.mask[place] === '1')
      return { standing, removed: 0 };
    const size = this.sizeOf(log);
    const mask = [...(before?.mask ?? '0'.repeat(entry.lines.length))].with(place, '1').join('');
    this.observer.deadLettered(log, detectionAt(id, place));
    this.unset(log, `done:${id}`);
    if (!mask.includes('0')) {
      this.streamOf(log)!.delete(id);
      size.bytes -= entry.bytes;
    } else if (!this.has('makes a dead letter and leaves its detection'))
      this.setProgress(log, id, { mask, bytes: entry.bytes, cleared: before?.cleared ?? 0 });
    this.set(log, { bytes: String(size.bytes), detections: String(size.detections - 1) });
    this.addLetter(log, message, fields);
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
      if (entry.term <= term) kept.add(entry.term, entry.sequence, entry.lines, entry.isForeign);
    const present = kept.length > 0;
    const mark = settled === 0 ? undefined : kept.add(term, settled, ['']);
    if (mark !== undefined) kept.delete(mark.id);
    if (present || mark !== undefined) this.streams.set(log.stream, kept);
    else this.streams.delete(log.stream);
    this.expiring.delete(log.stream);
    for (const entry of expelled) {
      const flat = fieldsOf(entry);
      this.addLetter(log, entry.isForeign ? flat[1]! : flat.join(' '), fields);
    }
    this.keepLetters(log, most);
    const { bytes, detections } = this.measure(log);
    this.set(log, { process: '', origin: 'taken', bytes: String(bytes), detections: String(detections) });
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
    append: async (appends, options) => server.append(appends, options),
    acknowledge: async (acknowledgements) => server.acknowledge(acknowledgements),
    deadLetter: async (letter) => server.deadLetter(letter),
    records: async (logs) => server.records(logs),
    grant: async (term, grants) => server.grant(term, grants),
    release: async (log, process, epoch, rest) => server.release(log, process, epoch, rest),
    seal: async (term, logs) => server.seal(term, logs),
    fetch: async (log, places) => server.fetch(log, places),
    masks: async (log, ids) => server.masks(log, ids),
    claims: async (logs) => server.claims(logs),
    expel: async (expulsion) => server.expel(expulsion),
    read: async (cursors, count) => server.read(cursors, count),
  };
}
