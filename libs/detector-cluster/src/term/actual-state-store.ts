import { redactUrl, withoutQuery } from '../shared/redact-url.js';
import type { FencedStore } from '@detector-cluster/election/fence';
import {
  type TrackedSubscription,
  RENEW,
  inChunks,
  type ActualCameraSubscription,
} from '@detector-cluster/placement/internal';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { runInSlices } from '../shared/run-in-slices.js';
import { SharedStrings } from '../shared/shared-strings.js';
import type { Commit } from '../shared/commit.js';
import { HashMirror } from '../shared/hash-mirror.js';
import type { ActualRecordsReader } from './actual-records-reader.js';

/** The master's record of each subscription's worker; kept in Redis so that a successor continues instead of starting over. */
export class ActualStateStore {
  private known = new Map<string, TrackedSubscription>();

  private readonly mirror: HashMirror;
  private lastSeen = new Map<string, number>();
  private modelUrls = new Map<string, string>();
  private readonly strings = new SharedStrings();

  /** @param seenAt see `WorkerPool.seenAt` */
  constructor(
    private readonly store: FencedStore,
    keys: ClusterKeys,
    private readonly seenAt: (worker: string, subscriptionIdentifier: string) => number | null,
  ) {
    this.mirror = new HashMirror(store, keys.actual, keys.actualRevision);
  }

  get tracked(): ReadonlyMap<string, TrackedSubscription> {
    return this.known;
  }

  /** Continues with what the predecessor has recorded. */
  async load(records: ActualRecordsReader): Promise<void> {
    const { lastSeen, modelUrls, tracked, written } = await records.read();
    this.mirror.adopt(written);
    this.lastSeen = lastSeen;
    this.modelUrls = modelUrls;
    this.known = tracked;
  }

  /** The subscriptions whose records differ from these. {@link commitSome} may be called where this yields. */
  *differences(next: ReadonlyMap<string, TrackedSubscription>): Generator<void, Set<string>> {
    const ids = new Set<string>();
    yield* inChunks(next, ([id, tracked]) => {
      if (this.differs(id, tracked)) ids.add(id);
    });
    yield* inChunks(this.mirror.fields(), (id) => {
      if (!next.has(id)) ids.add(id);
    });
    return ids;
  }

  /**
   * Adds the changes to a commit. They are remembered when that is written, so that the master never sends a command that a successor
   * could not know of. New times of the last report alone are not written. Returns the removed subscriptions.
   * @param ids the {@link differences}, and what has changed since they were found
   */
  async addTo(
    commit: Commit,
    next: Map<string, TrackedSubscription>,
    ids: Iterable<string>,
  ): Promise<string[]> {
    const changes = await this.describe(ids, next);
    const removed = await this.mirror.addTo(commit, changes);
    commit.whenWritten(() => {
      this.known = next;
      for (const id of removed) {
        this.lastSeen.delete(id);
        this.modelUrls.delete(id);
      }
    });
    return removed;
  }

  /** Writes the changes of some subscriptions, and then remembers them; the others stay unchanged. */
  async commitSome(some: ReadonlyMap<string, TrackedSubscription>): Promise<void> {
    await this.mirror.apply(await this.describe(some.keys(), some));
    for (const [id, tracked] of some) this.known.set(id, tracked);
  }

  /** The next pass sends these again, whatever their workers report. */
  renew(ids: Iterable<string>): void {
    for (const id of ids) {
      const tracked = this.known.get(id);
      if (tracked !== undefined) this.known.set(id, { ...tracked, specHash: RENEW, sentAt: null });
    }
  }

  private differs(id: string, tracked: TrackedSubscription): boolean {
    const before = this.known.get(id);
    return before === undefined || !this.mirror.has(id) || !sameRecord(before, tracked);
  }

  /** The records that differ; null: there is none any more. */
  private async describe(
    ids: Iterable<string>,
    next: ReadonlyMap<string, TrackedSubscription>,
  ): Promise<Map<string, string | null>> {
    const changes = new Map<string, string | null>();
    const iso = isoTimes();
    const describe = (id: string) => {
      const tracked = next.get(id);
      if (tracked === undefined) {
        if (!this.mirror.holds(id, null)) changes.set(id, null);
      } else if (this.differs(id, tracked))
        changes.set(id, JSON.stringify(toActual(id, tracked, this.facts(id, tracked), iso)));
    };
    await runInSlices(inChunks(ids, describe));
    return changes;
  }

  /** See {@link HashMirror.compare}. */
  compare(): Promise<boolean> {
    return this.mirror.compare();
  }

  /** Notes when a report last showed streams that are no longer shown (wall clock, milliseconds). What is removed has no record. */
  seen(ids: Iterable<string>, at: number): void {
    for (const id of ids) if (this.known.has(id)) this.lastSeen.set(id, at);
  }

  /** Notes the model URL that is about to be sent, without its signature and credentials. */
  sending(id: string, modelUrl: string): void {
    this.modelUrls.set(id, this.strings.of(withoutQuery(redactUrl(modelUrl))));
  }

  /** The model URL that was sent last, without secrets; null if none is known. */
  lastModelUrl(id: string): string | null {
    return this.modelUrls.get(id) ?? null;
  }

  private facts(id: string, { workerUrl }: TrackedSubscription) {
    return {
      modelUrl: this.modelUrls.get(id) ?? '',
      lastSeen: this.seenAt(workerUrl, id) ?? this.lastSeen.get(id) ?? null,
      term: this.store.term,
    };
  }
}

function sameRecord(a: TrackedSubscription, b: TrackedSubscription): boolean {
  if (a === b) return true;
  return (
    a.workerUrl === b.workerUrl &&
    a.specHash === b.specHash &&
    (a.sentAt === null) === (b.sentAt === null) &&
    a.holder === b.holder &&
    a.status === b.status &&
    a.reason === b.reason &&
    a.detail === b.detail &&
    a.assignedAt === b.assignedAt
  );
}

/** The value in `worker:actual_subscriptions`, from which a successor continues. */
export function toActual(
  subscriptionIdentifier: string,
  tracked: TrackedSubscription,
  facts: { readonly modelUrl: string; readonly lastSeen: number | null; readonly term: number },
  iso: IsoTimes = isoTime,
): ActualCameraSubscription {
  return {
    subscriptionIdentifier,
    assignedWorkerUrl: tracked.workerUrl,
    modelUrl: facts.modelUrl,
    status: tracked.status,
    reason: tracked.reason,
    ...(tracked.detail !== undefined && { detail: tracked.detail }),
    since: iso(tracked.since),
    assignedAt: tracked.assignedAt === 0 ? '' : iso(tracked.assignedAt),
    lastSeen: facts.lastSeen === null ? '' : iso(facts.lastSeen),
    specHash: tracked.specHash,
    ...(tracked.sentAt !== null && { unconfirmed: true as const }),
    term: facts.term,
    holder: tracked.holder,
  };
}

/** Milliseconds since 1970 as text. */
export type IsoTimes = (at: number) => string;

const isoTime: IsoTimes = (at) => new Date(at).toISOString();

/** Caches parsed times: many records share a few times, and parsing a time costs more than the rest of a record. */
export function isoTimes(): IsoTimes {
  const known = new Map<number, string>();
  return (at) => {
    const text = known.get(at) ?? isoTime(at);
    known.set(at, text);
    return text;
  };
}
