import type { Redis } from 'ioredis';
import { redactUrl, withoutQuery } from '../redact/redact-url.js';
import type { FencedStore } from '../fence/fenced-store.js';
import { fromActual, isoTimes, toActual } from '../reconcile/actual-record.js';
import type { TrackedSubscription } from '../reconcile/observation.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { unhurried, withPauses } from '../util/breather.js';
import { HashMirror } from './hash-mirror.js';

/** What runs where, as the master remembers it; kept in Redis so that a successor continues instead of starting over. */
export class ActualStateKeeper {
  tracked: ReadonlyMap<string, TrackedSubscription> = new Map();

  private readonly mirror: HashMirror;
  private readonly lastSeen = new Map<string, number>();
  private readonly modelUrls = new Map<string, string>();
  private texts: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly store: FencedStore,
    keys: ClusterKeys,
  ) {
    this.mirror = new HashMirror(store, keys.actual);
  }

  async load(redis: Redis): Promise<void> {
    const tracked = new Map<string, TrackedSubscription>();
    for (const [id, text] of await this.mirror.load(redis)) {
      const record = fromActual(text);
      if (record === null) continue;
      const { lastSeen, modelUrl, ...memory } = record;
      if (modelUrl !== '') this.modelUrls.set(id, modelUrl);
      if (lastSeen !== null) this.lastSeen.set(id, lastSeen);
      tracked.set(id, memory);
    }
    this.tracked = tracked;
  }

  /**
   * Writes what changed, and only then remembers it: a command is never sent that a successor could not know of. Times
   * last seen alone are no reason to write, but for a `full` commit. Returns the subscriptions that were taken out.
   */
  async commit(next: ReadonlyMap<string, TrackedSubscription>, full = false): Promise<string[]> {
    const wanted = new Map<string, string>();
    const iso = isoTimes();
    const describe = ([id, tracked]: [string, TrackedSubscription]) => {
      const before = this.tracked.get(id);
      const text =
        !full && before !== undefined && sameRecord(before, tracked) ? this.texts.get(id) : undefined;
      wanted.set(id, text ?? JSON.stringify(toActual(id, tracked, this.facts(id), iso)));
    };
    await unhurried(withPauses(next, describe));
    const removed = await this.mirror.sync(wanted);
    this.texts = wanted;
    this.tracked = next;
    for (const map of [this.lastSeen, this.modelUrls])
      for (const id of map.keys()) if (!next.has(id)) map.delete(id);
    return removed;
  }

  /** See {@link HashMirror.doubt}. */
  doubt(): void {
    this.mirror.doubt();
  }

  /** Notes that a report showed these streams now (wall clock, milliseconds). */
  seen(ids: Iterable<string>, at: number): void {
    for (const id of ids) this.lastSeen.set(id, at);
  }

  /** Notes the model URL that is about to be sent; what is kept of it is free of its signature and of credentials. */
  sending(id: string, modelUrl: string): void {
    this.modelUrls.set(id, withoutQuery(redactUrl(modelUrl)));
  }

  private facts(id: string) {
    return {
      modelUrl: this.modelUrls.get(id) ?? '',
      lastSeen: this.lastSeen.get(id) ?? null,
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
