import { StoreError } from '../../backends/redis/connection/store.error.js';
import type { ElectionNews } from '../../backends/redis/election-keys.js';
import { instanceOfOwner } from '../../lease/lease-owner.js';
import type {
  Claimant,
  ClaimedLease,
  HeldLease,
  LeaseMode,
  LeaseReply,
} from '../../backends/redis/lease/lease-store.js';
import { onFastestClock } from '../../util/clock.js';
import type { SimTime } from './sim-time.js';

/** One end of a connection, as the server sees it. */
export interface ServerSocket {
  /** To whose presence it listens. */
  subscribedTo: string | undefined;
  /** Called when the server closes it. */
  readonly onClosed: () => void;
}

interface LeaseRecord {
  readonly owner: string;
  readonly term: number;
  readonly seq: number;
  readonly mode: LeaseMode;
  readonly validity: number;
  /** Number of the last change of mode. */
  readonly change: number;
  /** On the server's clock. */
  readonly expiresAt: number;
}

interface Snapshot {
  readonly at: number;
  readonly record: LeaseRecord | undefined;
  readonly term: number;
  /** Of the last lease; 0 when it was released, or is lost. */
  readonly validity: number;
}

/** What a caller brings along. */
export interface CallerOptions {
  readonly lockTtl: number;
  /** By its own clock. */
  readonly validity: Readonly<Record<LeaseMode, number>>;
  /** It asks the server to count listeners. */
  readonly sees: boolean;
}

/** What a broken server does not do. */
export type ServerDefect =
  | 'replaces though confirmed since'
  | 'replaces though present'
  | 'replaces what rests on time'
  | 'confirms whom it does not see'
  | 'confirms any caller'
  | 'grants right after a restart'
  | 'continues as if it had not restarted'
  | 'repeats a grant as if it had not restarted'
  | 'counts terms from what it has stored'
  | 'does not state how long a leader may act'
  | 'forgets how long a leader may act'
  | 'ignores what candidates have seen'
  | 'releases for any caller';

const NOTHING: Snapshot = { at: -Infinity, record: undefined, term: 0, validity: 0 };

/** The wall clock of a server that starts with the world. */
const EPOCH = 1_700_000_000_000;

/** Redis with the scripts of the election: each method does what the script of that name does, in one step. */
export class ModelServer {
  up = true;
  /** Changes with each start. */
  boot = 1;
  /** The code of the error with which it answers. */
  refusal: string | undefined;
  /** Names of the scripts that it has been sent. */
  readonly scripts = new Set<string>();
  readonly sockets = new Set<ServerSocket>();
  onNews: (news: ElectionNews) => void = () => undefined;
  /** The last that was granted or confirmed, and until when its holder may act, on the clock of the world. */
  lastLease = { term: 0, validity: 0, until: -Infinity };
  private readonly defects: ReadonlySet<ServerDefect>;
  private startedAt: number;
  private data: Snapshot;
  private history: Snapshot[] = [];

  constructor(
    private readonly time: SimTime,
    private readonly rate: number,
    defects: readonly ServerDefect[] = [],
  ) {
    this.defects = new Set(defects);
    this.startedAt = this.clock() - 3_600_000;
    this.data = NOTHING;
  }

  get record(): LeaseRecord | undefined {
    const { record } = this.data;
    return record && this.clock() < record.expiresAt ? record : undefined;
  }

  acquire(claimant: Claimant, absent: HeldLease | undefined, caller: CallerOptions): LeaseReply {
    this.refuse(true);
    const { owner, floor, floorValidity, claimedFor } = claimant;
    const { sees } = caller;
    const { record } = this;
    if (record && record.owner !== owner && !this.replaceable(record, absent, sees))
      return this.held(record, sees);
    const mine =
      record?.owner === owner && !this.startedWithin(claimedFor, 'repeats a grant') ? record : undefined;
    const seen = sees && this.listeners(instanceOfOwner(owner)) > 0;
    const mode = mine?.mode ?? (seen ? 'presence' : 'lease');
    const validity = mine?.validity ?? onFastestClock(caller.validity[mode]);
    const stored = this.data.term;
    const last = this.has('forgets how long a leader may act') ? 0 : this.data.validity;
    const counts = stored < floor || (last > 0 && stored === floor);
    const known = counts && !this.has('ignores what candidates have seen') ? floorValidity : 0;
    const wait = this.quietFor(Math.ceil(Math.max(validity, last, known) / 1_000) + 1);
    if (!mine && wait > 0 && !this.has('grants right after a restart')) {
      if (known > last) this.store({ validity: known });
      return { kind: 'restarted', wait };
    }
    const term =
      mine?.term ??
      (this.has('counts terms from what it has stored')
        ? stored + 1
        : Math.max(stored + 1, floor + 1, Math.floor(this.clock())));
    this.write({ owner, term, seq: mine?.seq ?? 0, mode, validity, change: mine?.change ?? 0 }, caller);
    if (!mine) this.onNews({ term, owner, reason: 'acquired' });
    return { kind: 'granted', term, mode, seen };
  }

  confirm(claimed: ClaimedLease, caller: CallerOptions): LeaseReply {
    this.refuse(true);
    const { sees } = caller;
    const { owner, term, change, lapsedFor } = claimed;
    const { record } = this;
    if (!record) return { kind: 'vacant', term };
    if ((record.owner !== owner || record.term !== term) && !this.has('confirms any caller'))
      return this.held(record, sees);
    if (this.startedWithin(lapsedFor, 'continues')) return { kind: 'restarted', wait: 0 };
    const changes = change && change.number > record.change ? change : undefined;
    const mode = changes?.mode ?? record.mode;
    const seen = sees && this.listeners(instanceOfOwner(owner)) > 0;
    if (mode === 'presence' && !seen && !this.has('confirms whom it does not see')) return { kind: 'unseen' };
    const validity = changes ? onFastestClock(caller.validity[mode]) : record.validity;
    this.write({ ...record, mode, validity, change: changes?.number ?? record.change }, caller);
    return { kind: 'granted', term, mode, seen };
  }

  release(owner: string): void {
    this.refuse(true);
    const { record } = this;
    if (!record || (record.owner !== owner && !this.has('releases for any caller'))) return;
    this.store({ record: undefined, validity: 0 });
    this.onNews({ term: record.term, owner, reason: 'released' });
  }

  look(sees: boolean): LeaseReply {
    this.refuse(false);
    return this.record ? this.held(this.record, sees) : { kind: 'vacant', term: this.data.term };
  }

  /** Ends all connections; until {@link start} it takes no others. */
  crash(): void {
    this.up = false;
    for (const socket of this.sockets) this.drop(socket);
  }

  /** @param lost The server loses the writes of this many last milliseconds. */
  start(lost: number): void {
    this.up = true;
    this.boot++;
    this.refusal = undefined;
    this.scripts.clear();
    this.startedAt = this.clock();
    if (lost > 0) this.data = this.history.findLast(({ at }) => at < this.time.now - lost) ?? NOTHING;
    this.history = [this.data];
  }

  drop(socket: ServerSocket): void {
    if (this.sockets.delete(socket)) socket.onClosed();
  }

  private listeners(instance: string): number {
    let count = 0;
    for (const { subscribedTo } of this.sockets) if (subscribedTo === instance) count++;
    return count;
  }

  private replaceable(record: LeaseRecord, absent: HeldLease | undefined, sees: boolean): boolean {
    return (
      absent !== undefined &&
      (record.mode === 'presence' || this.has('replaces what rests on time')) &&
      sees &&
      (this.listeners(instanceOfOwner(record.owner)) === 0 || this.has('replaces though present')) &&
      record.owner === absent.owner &&
      record.term === absent.term &&
      (String(record.seq) === absent.seq || this.has('replaces though confirmed since'))
    );
  }

  private held({ owner, term, mode, seq, validity, expiresAt }: LeaseRecord, sees: boolean): LeaseReply {
    const absent = sees && this.listeners(instanceOfOwner(owner)) === 0;
    return {
      kind: 'held',
      owner,
      term,
      mode,
      seq: String(seq),
      validity: this.has('does not state how long a leader may act') ? 1 : validity,
      absent,
      ttl: Math.max(0, Math.round(expiresAt - this.clock())),
    };
  }

  /** Stores an extended record. */
  private write(record: Omit<LeaseRecord, 'expiresAt'>, { lockTtl }: CallerOptions): void {
    const expiresAt = Math.floor(this.clock()) + lockTtl;
    const { term, validity } = record;
    this.store({
      record: { ...record, seq: record.seq + 1, expiresAt },
      term: Math.max(term, this.data.term),
      validity,
    });
    this.lastLease = { term, validity, until: this.time.now + validity };
  }

  private store(change: Partial<Snapshot>): void {
    this.data = { ...this.data, ...change, at: this.time.now };
    this.history.push(this.data);
    if (this.history.length > 200) this.history.splice(0, 100);
  }

  /** Milliseconds of its wall clock. */
  private clock(): number {
    return EPOCH + this.time.now * this.rate;
  }

  /** As Redis tells its age: the difference of two whole seconds. */
  private uptime(): number {
    return Math.floor(this.clock() / 1_000) - Math.floor(this.startedAt / 1_000);
  }

  private quietFor(quiet: number): number {
    return (quiet - this.uptime()) * 1_000;
  }

  private startedWithin(ms: number, forgets: 'continues' | 'repeats a grant'): boolean {
    if (ms === 0 || this.has(`${forgets} as if it had not restarted`)) return false;
    return this.uptime() * 1_000 - 1_000 < onFastestClock(ms);
  }

  private refuse(writes: boolean): void {
    const code = this.refusal;
    if (code === undefined || (code === 'READONLY' && !writes)) return;
    throw new StoreError(code, `refused: ${code}`);
  }

  private has(defect: ServerDefect): boolean {
    return this.defects.has(defect);
  }
}
