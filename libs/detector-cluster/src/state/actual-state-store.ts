import type { Redis } from 'ioredis';
import { redactUrl, withoutQuery } from '../redact/redact-url.js';
import type { FencedStore } from '../store/fenced-store.js';
import { fromActual, isoTimes, toActual } from '../reconcile/actual-record.js';
import type { TrackedSubscription } from '../reconcile/observation.js';
import { RENEW } from '../reconcile/shown.js';
import type { ClusterKeys } from '../store/cluster-keys.js';
import { runInSlices, inChunks } from '../util/run-in-slices.js';
import { HashMirror } from './hash-mirror.js';

/** The master's record of each subscription's worker; kept in Redis so that a successor continues instead of starting over. */
export class ActualStateStore {
  private known = new Map<string, TrackedSubscription>();

  private readonly mirror: HashMirror;
  private readonly lastSeen = new Map<string, number>();
  private readonly modelUrls = new Map<string, string>();

  /** @param seenAt see `WorkerPool.seenAt` */
  constructor(
    private readonly store: FencedStore,
    keys: ClusterKeys,
    private readonly seenAt: (worker: string, subscriptionIdentifier: string) => number | null,
  ) {
    this.mirror = new HashMirror(store, keys.actual);
  }

  get tracked(): ReadonlyMap<string, TrackedSubscription> {
    return this.known;
  }

  async load(redis: Redis): Promise<void> {
    const tracked = new Map<string, TrackedSubscription>();
    const take = ([id, text]: [string, string]) => {
      const record = fromActual(text);
      if (record === null) return;
      const { lastSeen, modelUrl, ...memory } = record;
      if (modelUrl !== '') this.modelUrls.set(id, modelUrl);
      if (lastSeen !== null) this.lastSeen.set(id, lastSeen);
      tracked.set(id, memory);
    };
    await runInSlices(inChunks(await this.mirror.load(redis), take));
    this.known = tracked;
  }

  /**
   * Writes the changes, and only then remembers them, so that the master never sends a command that a successor could not know
   * of. New times of the last report alone are not written. Returns the removed subscriptions.
   */
  async commit(next: Map<string, TrackedSubscription>): Promise<string[]> {
    const changes = new Map<string, string | null>();
    await this.describe(next, changes);
    const gone = (id: string) => {
      if (!next.has(id)) changes.set(id, null);
    };
    await runInSlices(inChunks(this.mirror.fields(), gone));
    const removed = await this.mirror.apply(changes);
    this.known = next;
    for (const id of removed) {
      this.lastSeen.delete(id);
      this.modelUrls.delete(id);
    }
    return removed;
  }

  /** {@link commit} for some subscriptions; the others stay unchanged. */
  async commitSome(some: ReadonlyMap<string, TrackedSubscription>): Promise<void> {
    const changes = new Map<string, string | null>();
    await this.describe(some, changes);
    await this.mirror.apply(changes);
    for (const [id, tracked] of some) this.known.set(id, tracked);
  }

  /** The next pass sends these again, whatever their workers report. */
  renew(ids: Iterable<string>): void {
    for (const id of ids) {
      const tracked = this.known.get(id);
      if (tracked !== undefined) this.known.set(id, { ...tracked, specHash: RENEW, sentAt: null });
    }
  }

  private async describe(
    next: ReadonlyMap<string, TrackedSubscription>,
    changes: Map<string, string | null>,
  ): Promise<void> {
    const iso = isoTimes();
    const describe = ([id, tracked]: [string, TrackedSubscription]) => {
      const before = this.known.get(id);
      if (before === undefined || !this.mirror.has(id) || !sameRecord(before, tracked))
        changes.set(id, JSON.stringify(toActual(id, tracked, this.facts(id, tracked), iso)));
    };
    await runInSlices(inChunks(next, describe));
  }

  /** See {@link HashMirror.doubt}. */
  doubt(): void {
    this.mirror.doubt();
  }

  /** Notes when a report last showed streams that are no longer shown (wall clock, milliseconds). */
  seen(ids: Iterable<string>, at: number): void {
    for (const id of ids) this.lastSeen.set(id, at);
  }

  /** Notes the model URL that is about to be sent, without its signature and credentials. */
  sending(id: string, modelUrl: string): void {
    this.modelUrls.set(id, withoutQuery(redactUrl(modelUrl)));
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
    a.assignedAt === b.assignedAt
  );
}
