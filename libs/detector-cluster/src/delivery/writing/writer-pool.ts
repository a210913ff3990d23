import { StreamWriter, type WriterHooks } from './stream-writer.js';
import type { RouterContext } from '../router/router-context.js';

/** The writers of one router, one per process, made on first use. */
export class WriterPool {
  private readonly writers = new Map<string, StreamWriter>();

  constructor(
    private readonly context: RouterContext,
    private readonly hooks: WriterHooks,
  ) {}

  of(processId: string): StreamWriter {
    let writer = this.writers.get(processId);
    if (writer === undefined) {
      writer = new StreamWriter(processId, this.context, this.hooks);
      this.writers.set(processId, writer);
    }
    return writer;
  }

  find(processId: string): StreamWriter | undefined {
    return this.writers.get(processId);
  }

  /** Forgets the process; its writer must be paused. */
  remove(processId: string): void {
    this.writers.delete(processId);
    this.hooks.droppedBefore.delete(processId);
  }

  all(): StreamWriter[] {
    return [...this.writers.values()];
  }
}
