import { AsyncLocalStorage } from 'node:async_hooks';
import type { CauseSink } from './cause-sink.js';

/**
 * Which transaction a statement belongs to. Interactive ones are known by their id, which is right also for a `tx` that
 * is used from elsewhere and for a write of the root client inside of the callback; only where Prisma tells no id,
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

  /** Collects into `sink` what `work` does. */
  within<T>(sink: CauseSink, work: () => T): T {
    return this.context.run(sink, work);
  }

  /** Collects into `sink` what the transaction `id` does from now on; the returned function restores what was before. */
  enter(id: string | number, sink: CauseSink): () => void {
    const before = this.byId.get(id);
    this.byId.set(id, sink);
    return () => {
      if (before) this.byId.set(id, before);
      else this.byId.delete(id);
    };
  }
}
