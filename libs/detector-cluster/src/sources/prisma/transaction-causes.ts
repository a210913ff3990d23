import { AsyncLocalStorage } from 'async_hooks';
import type { CauseSink } from './cause-sink.js';

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
