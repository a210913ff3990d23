import { RedisScript } from '@detector-cluster/election/redis';
import { pause, toError } from '@detector-cluster/election/util';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { parseInterestRecord, type InterestRecord } from '../interest/interest-record.js';
import { markSeen } from '../log/scripts/scripts.generated.js';
import type { RouterContext } from './router-context.js';

const markScript = new RedisScript<number>(markSeen);
const NOBODY: readonly string[] = [];

/** A process that is no member for so long is gone. Milliseconds. */
const STRANGER_STAYS = 60_000;

/** By process. */
export interface Interests {
  /** What it listens to. Records that cannot be read are left out. */
  readonly records: ReadonlyMap<string, InterestRecord>;
  /** The version that it knows to be seen. */
  readonly seen: ReadonlyMap<string, number>;
}

/** Where the interests of all processes are kept. */
export interface InterestStore {
  read(): Promise<Interests>;
  /** Tells processes which version of their interests the master routes by. */
  markSeen(term: number, versions: ReadonlyMap<string, number>): Promise<'done' | 'deposed'>;
  /** Removes the interests of processes that are gone, and tells them, in case one lives. */
  remove(processes: readonly string[]): Promise<void>;
}

export class RedisInterestStore implements InterestStore {
  constructor(
    private readonly redis: Redis,
    private readonly keys: Pick<ClusterKeys, 'fence' | 'interests' | 'interestsForgotten' | 'interestsSeen'>,
  ) {}

  async read(): Promise<Interests> {
    const [all, seen] = await Promise.all([
      this.redis.hgetall(this.keys.interests),
      this.redis.hgetall(this.keys.interestsSeen),
    ]);
    const records = new Map<string, InterestRecord>();
    for (const [processId, json] of Object.entries(all)) {
      const record = parseInterestRecord(json);
      if (record !== null) records.set(processId, record);
    }
    return {
      records,
      seen: new Map(Object.entries(seen).map(([processId, version]) => [processId, Number(version)])),
    };
  }

  async markSeen(term: number, versions: ReadonlyMap<string, number>): Promise<'done' | 'deposed'> {
    const { fence, interestsSeen } = this.keys;
    const code = await markScript.run(this.redis, [fence, interestsSeen], [term, ...[...versions].flat()]);
    return code < 0 ? 'deposed' : 'done';
  }

  async remove(processes: readonly string[]): Promise<void> {
    const { interests, interestsForgotten, interestsSeen } = this.keys;
    await Promise.all([
      this.redis.hdel(interests, ...processes),
      this.redis.hdel(interestsSeen, ...processes),
    ]);
    await this.redis.publish(interestsForgotten, JSON.stringify(processes));
  }
}

export interface InterestHooks {
  /** Whether the process is a member of the cluster, as far as the master knows. */
  readonly isMember: (processId: string) => boolean;
  /** Reads the members: a process that has just started may listen before the master has heard of it. */
  readonly readMembers: () => Promise<void>;
  /** The processes with global listeners have changed. */
  readonly onGlobalChanged: () => void;
}

/**
 * Which processes have listeners for a subscription, and which for all. Kept up to date by the hints of the processes, and by
 * reading all interests every now and then: a hint can be lost.
 */
export class InterestIndex {
  private records: ReadonlyMap<string, InterestRecord> = new Map();
  private bySubscription = new Map<string, string[]>();
  private global = new Set<string>();
  /** Processes that are no members, and since when. */
  private readonly strangers = new Map<string, number>();
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();
  private begun = false;

  constructor(
    private readonly context: RouterContext,
    private readonly store: InterestStore,
    private readonly hooks: InterestHooks,
  ) {}

  /** The processes that have listeners for the subscription. */
  listening(subscriptionIdentifier: string): readonly string[] {
    return this.bySubscription.get(subscriptionIdentifier) ?? NOBODY;
  }

  /** The processes that have global listeners. */
  get globalListeners(): ReadonlySet<string> {
    return this.global;
  }

  /** Reads all interests for the first time. Rejects when Redis cannot be reached. */
  async begin(): Promise<void> {
    await this.refresh();
    this.begun = true;
  }

  /** Resolves when what was written before the call is known, or cannot be read. Never rejects. */
  refreshed(): Promise<void> {
    if (!this.begun || this.context.signal.aborted) return Promise.resolve();
    // A read that is under way may have missed it: one more follows, for all who ask until it begins.
    this.next ??= this.last.then(async () => {
      this.last = this.next!;
      this.next = undefined;
      await this.refresh().catch((error: unknown) => this.report(error));
    });
    return this.next;
  }

  refreshSoon(): void {
    void this.refreshed();
  }

  /** The processes are gone: nothing is copied for them any more. */
  async forget(processes: readonly string[]): Promise<void> {
    const { signal, clock } = this.context;
    for (let attempt = 0; attempt < 5 && !signal.aborted; attempt++) {
      try {
        await this.store.remove(processes);
        this.refreshSoon();
        return;
      } catch (error) {
        this.report(error);
        await pause(200, clock, signal);
      }
    }
  }

  /** Reads all interests, and confirms to the processes what has changed. */
  private async refresh(): Promise<void> {
    const { deposed, term } = this.context;
    const { isMember, onGlobalChanged, readMembers } = this.hooks;
    const { records: written, seen } = await this.store.read();
    const lost = this.lostRecords(written, seen);
    const records = (this.records = new Map([...written, ...lost]));
    const known = [...records.keys()].every((processId) => isMember(processId));
    if (!known) await readMembers().catch((error: unknown) => this.report(error));
    const bySubscription = new Map<string, string[]>();
    const global = new Set<string>();
    const unseen = new Map<string, number>();
    for (const [processId, record] of records) {
      // It counts even if the process may be gone: an entry that waits for an owner is better than a detection that is lost.
      if (record.global) global.add(processId);
      if (!isMember(processId)) continue;
      if (!lost.has(processId) && seen.get(processId) !== record.version)
        unseen.set(processId, record.version);
      for (const subscription of record.subscriptions) {
        const processes = bySubscription.get(subscription);
        if (processes === undefined) bySubscription.set(subscription, [processId]);
        else processes.push(processId);
      }
    }
    this.bySubscription = bySubscription;
    const changed = global.size !== this.global.size || [...global].some((each) => !this.global.has(each));
    this.global = global;
    if (changed) onGlobalChanged();
    this.removeLater([...records.keys()].filter((processId) => !isMember(processId)));
    if (unseen.size > 0 && (await this.store.markSeen(term, unseen)) === 'deposed') deposed();
  }

  /**
   * What members listened to before Redis lost its data: they will write it again, and until then nothing is withheld from them. A
   * process that withdraws leaves the version that it knows to be seen.
   */
  private lostRecords(
    written: Interests['records'],
    seen: Interests['seen'],
  ): ReadonlyMap<string, InterestRecord> {
    return new Map(
      [...this.records].filter(
        ([processId]) => !written.has(processId) && !seen.has(processId) && this.hooks.isMember(processId),
      ),
    );
  }

  /** What a process wrote that is gone since before this master began is removed by nobody else. */
  private removeLater(strangers: readonly string[]): void {
    const now = this.context.clock.now();
    for (const processId of this.strangers.keys())
      if (!strangers.includes(processId)) this.strangers.delete(processId);
    for (const processId of strangers) if (!this.strangers.has(processId)) this.strangers.set(processId, now);
    const gone = strangers.filter((processId) => now - this.strangers.get(processId)! > STRANGER_STAYS);
    if (gone.length > 0) void this.forget(gone);
  }

  private report(error: unknown): void {
    if (!this.context.signal.aborted) this.context.onEvent({ type: 'redis-error', error: toError(error) });
  }
}
