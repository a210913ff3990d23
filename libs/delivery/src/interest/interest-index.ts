import { FencedError } from '@detector-cluster/election/fence';
import { Repeater, toError } from '@detector-cluster/election/internal';
import type { InterestContext } from './interest-context.js';
import type { InterestRecord } from './interest-record.js';
import type { InterestStore } from './redis-interest-store.js';

const NO_PROCESSES: readonly string[] = [];

/** A process that has not been a member for this time is considered dead. Milliseconds. */
const STRANGER_STAYS = 60_000;

export interface InterestHooks {
  /** Whether the process is a member of the cluster, as far as the master knows. */
  readonly isMember: (processId: string) => boolean;
  /** The processes with global listeners have changed. */
  readonly onGlobalChanged: () => void;
}

/**
 * Knows which processes have listeners for a subscription, and which for all. It follows the hints of the processes. It also reads all
 * interests at intervals, because a hint can be lost.
 */
export class InterestIndex {
  private records: ReadonlyMap<string, InterestRecord> = new Map();
  /** Those of members, which {@link bySubscription} is made of. */
  private counted: ReadonlyMap<string, InterestRecord> = new Map();
  private readonly bySubscription = new Map<string, readonly string[]>();
  /** The processes that have global listeners. */
  globalListeners: ReadonlySet<string> = new Set();
  /** Processes that are not members, and since when. */
  private strangers: ReadonlyMap<string, number> = new Map();
  private readonly reads: Repeater;
  private begun = false;

  constructor(
    private readonly context: InterestContext,
    private readonly store: InterestStore,
    private readonly hooks: InterestHooks,
  ) {
    const { clock, signal } = context;
    this.reads = new Repeater({ clock, signal, run: () => this.refresh(), onError: this.report });
  }

  /** The processes that have listeners for the subscription. */
  listening(subscriptionIdentifier: string): readonly string[] {
    return this.bySubscription.get(subscriptionIdentifier) ?? NO_PROCESSES;
  }

  /** Reads all interests for the first time. Rejects when Redis cannot be reached. */
  async begin(): Promise<void> {
    await this.refresh();
    this.begun = true;
  }

  /** Resolves when it knows all interests that were written before the call, or cannot read them. Never rejects. */
  refreshed(): Promise<void> {
    return this.begun ? this.reads.next().catch(() => undefined) : Promise.resolve();
  }

  /** Removes the interests of dead processes, so that nothing is copied for them. If that fails, `removeLater` retries. */
  async forget(processes: readonly string[]): Promise<void> {
    await this.store.remove(processes).then(() => this.refreshed(), this.report);
  }

  /** Reads all interests, and confirms to the processes what has changed. */
  private async refresh(): Promise<void> {
    const { readMembers } = this.context;
    const { isMember, onGlobalChanged } = this.hooks;
    const { records: written, seen } = await this.store.read();
    const lost = this.lostRecords(written, seen);
    const records = (this.records = new Map([...written, ...lost]));
    // A process that has just started may listen before the master knows it.
    if (![...records.keys()].every(isMember)) await readMembers().catch(this.report);
    const counted = new Map<string, InterestRecord>();
    const global = new Set<string>();
    const unseen = new Map<string, number>();
    for (const [processId, record] of records) {
      // It counts even if the process may be gone: an entry that waits for an owner is better than a detection that is lost.
      if (record.global) global.add(processId);
      if (!isMember(processId)) continue;
      if (!lost.has(processId) && seen.get(processId) !== record.version)
        unseen.set(processId, record.version);
      counted.set(processId, record);
    }
    this.count(counted);
    const changed =
      global.size !== this.globalListeners.size ||
      [...global].some((each) => !this.globalListeners.has(each));
    this.globalListeners = global;
    if (changed) onGlobalChanged();
    this.removeLater([...records.keys()].filter((processId) => !isMember(processId)));
    if (unseen.size > 0) await this.store.markSeen(unseen);
  }

  /** Goes through the records that have changed. The others are the same objects as before. */
  private count(next: ReadonlyMap<string, InterestRecord>): void {
    const before = this.counted;
    this.counted = next;
    for (const processId of new Set([...before.keys(), ...next.keys()])) {
      const [then, now] = [before.get(processId), next.get(processId)];
      if (then === now) continue;
      const [was, is] = [new Set(then?.subscriptions), new Set(now?.subscriptions)];
      for (const subscription of was) {
        if (is.has(subscription)) continue;
        const others = this.listening(subscription).filter((each) => each !== processId);
        if (others.length > 0) this.bySubscription.set(subscription, others);
        else this.bySubscription.delete(subscription);
      }
      for (const subscription of is)
        if (!was.has(subscription))
          this.bySubscription.set(subscription, [...this.listening(subscription), processId]);
    }
  }

  /**
   * The interests of members before Redis lost its data. The members write them again, and until then the master still sends them
   * everything. A process that has withdrawn is not among them, because it leaves its seen version in Redis.
   */
  private lostRecords(written: ReadonlyMap<string, unknown>, seen: ReadonlyMap<string, unknown>) {
    const isLost = (id: string) => !written.has(id) && !seen.has(id) && this.hooks.isMember(id);
    return new Map([...this.records].filter(([processId]) => isLost(processId)));
  }

  /** No other process removes the records of a process that died before this master began. */
  private removeLater(strangers: readonly string[]): void {
    const now = this.context.clock.now();
    this.strangers = new Map(strangers.map((each) => [each, this.strangers.get(each) ?? now]));
    const gone = strangers.filter((each) => now - this.strangers.get(each)! > STRANGER_STAYS);
    if (gone.length > 0) void this.forget(gone);
  }

  private readonly report = (error: unknown): void => {
    const { deposed, onEvent, signal } = this.context;
    if (error instanceof FencedError) deposed();
    else if (!signal.aborted) onEvent({ type: 'redis-error', error: toError(error) });
  };
}
