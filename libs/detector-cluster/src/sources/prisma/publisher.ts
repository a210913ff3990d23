import { mergeRows, type ChangedRows } from '../changed-rows.js';
import type { WatchedModels } from './change-filter.js';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The part of a `SubscriptionTrigger` that is used. */
export interface ChangeTrigger {
  triggerSubscriptionUpdate(changeType: string, entityId?: undefined, rows?: ChangedRows): unknown;
}

interface CommonOptions {
  /** Models and fields that matter. Default: those of the reference schema. */
  models?: WatchedModels;
  /** A publication failed, at once or later. */
  onError?: (error: unknown) => void;
}

export type SubscriptionTriggersOptions = CommonOptions &
  (
    | {
        /** Called with each change, its causes joined with a comma. */ trigger: ChangeTrigger;
        publish?: never;
      }
    | {
        /** Called with each change. The extension does not wait for it; errors go to `onError`. */
        publish: (change: SubscriptionChange) => unknown;
        trigger?: never;
      }
  );

/** Publishes. A call never throws and never makes its caller wait. */
export class Publisher {
  constructor(private readonly options: SubscriptionTriggersOptions) {}

  publish(change: SubscriptionChange): void {
    // Runs in a later turn, so that a slow synchronous publisher does not delay the result of the write.
    setImmediate(() => {
      void this.attempt(change);
    });
  }

  private async attempt(change: SubscriptionChange): Promise<void> {
    const { trigger, publish, onError } = this.options;
    try {
      await (trigger
        ? trigger.triggerSubscriptionUpdate(change.causes.join(','), undefined, change.rows ?? undefined)
        : publish?.(change));
    } catch (error) {
      try {
        onError?.(error);
      } catch {
        // No other handler could receive the error.
      }
    }
  }
}

/** What a committed write or transaction may have changed. */
export interface SubscriptionChange {
  /** e.g. `camera.updated`, `display.created`, `database.changed` (raw SQL); without repetition. */
  readonly causes: readonly string[];
  /** The rows that were written; null if not all of them are known. */
  readonly rows: ChangedRows | null;
}

type Publish = (change: SubscriptionChange) => void;

/**
 * What the statements of one transaction may have changed, until its outcome is known. A statement may report after that,
 * when its transaction was used without being waited for: then it shares the outcome.
 */
export class CauseSink {
  private readonly causes = new Set<string>();
  private rows: ChangedRows | null = {};
  private outcome: Publish | null = null;

  add(change: SubscriptionChange): void {
    if (this.outcome) {
      this.outcome(change);
      return;
    }
    for (const cause of change.causes) this.causes.add(cause);
    this.rows = mergeRows(this.rows, change.rows);
  }

  /** The transaction has committed, or may have: publishes the noted changes, and those that still arrive. */
  commit(publish: Publish): void {
    this.outcome = publish;
    if (this.causes.size > 0) publish({ causes: [...this.causes], rows: this.rows });
  }

  /** The transaction was rolled back. */
  drop(): void {
    this.outcome = () => undefined;
  }
}

/**
 * Which transaction a statement belongs to. Interactive ones are known by their id, which is right also for a `tx` that
 * is used from elsewhere and for a write of the root client inside of the callback; only where Prisma gives no id,
 * and for arrays, whose statements run inside of one call, the asynchronous context decides.
 */
export class TransactionCauses {
  private readonly byId = new Map<string | number, CauseSink>();
  private readonly context = new AsyncLocalStorage<CauseSink>();

  /** The sink of the transaction with this id, if it is one of ours. */
  of(id: string | number): CauseSink | undefined {
    return this.byId.get(id);
  }

  /** The sink of the surrounding context. */
  get current(): CauseSink | undefined {
    return this.context.getStore();
  }

  /** Collects the changes of `work` into `sink`. */
  within<T>(sink: CauseSink, work: () => T): T {
    return this.context.run(sink, work);
  }

  /** Collects the later changes of the transaction `id` into `sink`. The returned function restores the previous sink. */
  enter(id: string | number, sink: CauseSink): () => void {
    const before = this.byId.get(id);
    this.byId.set(id, sink);
    return () => {
      if (before) this.byId.set(id, before);
      else this.byId.delete(id);
    };
  }
}
