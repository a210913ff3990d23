import { FencedError } from '@detector-cluster/election/fence';
import type { SimTime } from '../../../election/src/test-support/model/sim-time.js';
import type { InterestRecord } from '../interest/interest-record.js';
import type { AppendOptions, AppendResult, Cursor, LogAppend, LogPage } from '../log/log-store.js';
import { type LogData, MemoryLogServer, type ServerDefect } from './memory-log-server.js';

/** A channel on which processes and the master tell each other what has changed. */
export type Hint = 'interests' | 'forgotten' | 'owners' | 'replays';

type Found = ReadonlyMap<string, LogPage>;

interface Reader {
  readonly boot: number;
  readonly read: () => Found;
  readonly answer: (found: Found) => void;
}

/**
 * Redis as delivery uses it: logs, and what else the master and the processes keep there. It can be frozen, it can restart, and its replica can
 * replace it. Appends and acknowledgements reach the replica late, everything else at once.
 */
export class ModelServer {
  readonly logs: MemoryLogServer;
  readonly interests = new Map<string, InterestRecord>();
  readonly interestsSeen = new Map<string, number>();
  /** Letters whose replay is requested. */
  requests: string[] = [];
  partitions: number | null = null;
  up = true;
  /** Changes with each start. */
  boot = 1;
  onHint: (hint: Hint) => void = () => undefined;
  /** The highest term that has written. */
  fence = 0;
  /** The replica receives nothing. */
  isReplicaBehind = false;
  /** Called when the replica has everything. */
  onReplicated: () => void = () => undefined;
  private replica: LogData;
  private unconfirmed: (() => void)[] = [];
  private frozen = false;
  private received: (() => void)[] = [];
  private readers = new Set<Reader>();

  constructor(
    private readonly time: SimTime,
    private readonly defects: readonly ServerDefect[] = [],
  ) {
    this.logs = new MemoryLogServer(defects);
    this.replica = this.logs.copy();
    this.logs.onReleased = () => this.onHint('owners');
  }

  /** Does what a connection of the given start has brought, when it can. */
  serve(boot: number, act: () => void): void {
    if (!this.up || boot !== this.boot) return;
    if (this.frozen) this.received.push(act);
    else act();
  }

  append(appends: readonly LogAppend[], options: AppendOptions): AppendResult[] {
    const results = this.logs.append(appends, options);
    for (const reader of this.readers) this.tryRead(reader);
    return results;
  }

  /** Calls back when the replica has what was written before, as WAIT does. */
  whenReplicated(confirm: () => void): void {
    if (this.defects.includes('confirms before its replica has it')) confirm();
    else this.unconfirmed.push(confirm);
  }

  /** The replica receives everything, unless it is behind. @param surely also then */
  replicate(surely = false): void {
    if (!surely && (this.isReplicaBehind || this.frozen || !this.up)) return;
    this.replica = this.logs.copy();
    this.onReplicated();
    for (const confirm of this.unconfirmed.splice(0)) confirm();
  }

  /** Waits for the first entry, as XREAD does. */
  read(cursors: readonly Cursor[], count: number, block: number, answer: (found: Found) => void): void {
    const { boot } = this;
    const reader = { boot, read: () => this.logs.read(cursors, count), answer };
    this.readers.add(reader);
    this.tryRead(reader);
    if (!this.readers.has(reader)) return;
    this.time.after(block, () =>
      this.serve(boot, () => {
        if (this.readers.delete(reader)) answer(reader.read());
      }),
    );
  }

  /** What a fenced write does first. Throws a `FencedError` where a later term has written. */
  raise(term: number): void {
    if (term < this.fence) throw new FencedError(term, this.fence);
    this.fence = term;
  }

  freeze(): void {
    this.frozen = true;
  }

  thaw(): void {
    this.frozen = false;
    for (const act of this.received.splice(0)) act();
  }

  /** Until {@link start} it takes nothing. */
  crash(): void {
    this.up = false;
    this.frozen = false;
    this.received = [];
    this.unconfirmed = [];
    this.readers.clear();
  }

  /** The replica replaces a server that has crashed. */
  failOver(): void {
    this.logs.become(this.replica);
    this.start(false);
    this.replica = this.logs.copy();
  }

  start(losesData: boolean): void {
    this.up = true;
    this.boot++;
    if (!losesData) return;
    this.logs.loseEverything();
    this.interests.clear();
    this.interestsSeen.clear();
    this.requests = [];
    this.partitions = null;
    this.fence = 0;
  }

  private tryRead(reader: Reader): void {
    const found = reader.read();
    if (![...found.values()].some(({ entries }) => entries.length > 0)) return;
    this.readers.delete(reader);
    reader.answer(found);
  }
}
