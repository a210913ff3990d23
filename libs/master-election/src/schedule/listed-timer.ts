import type { SchedulerRegistry } from '@nestjs/schedule';

export interface ListedTimerOptions {
  readonly registry: SchedulerRegistry;
  readonly kind: 'interval' | 'timeout';
  /** Key of the entry in the registry. */
  readonly key: string;
}

/**
 * A timer that the `SchedulerRegistry` of `@nestjs/schedule` lists. The entry is the timer of the next call, and stays when none is set.
 * Deleting it stops the timer: nothing can be set until it is listed again.
 */
export class ListedTimer {
  private timer: NodeJS.Timeout = idleTimer();

  constructor(private readonly options: ListedTimerOptions) {}

  /** Whether the registry has the entry. */
  get listed(): boolean {
    const { registry, kind, key } = this.options;
    if (!registry.doesExist(kind, key)) return false;
    return (kind === 'interval' ? registry.getInterval(key) : registry.getTimeout(key)) === this.timer;
  }

  /** @throws Error when the registry has another entry of this kind and key. */
  list(): void {
    if (!this.listed) this.register(idleTimer());
  }

  unlist(): void {
    if (this.listed) this.unregister();
  }

  /** Calls back once, in place of what was set before, unless it is not listed. Returns a function that cancels this call. */
  set(callback: () => void, delay: number): () => void {
    if (!this.listed) return () => undefined;
    this.unregister();
    const timer = setTimeout(callback, delay);
    this.register(timer);
    return () => clearTimeout(timer);
  }

  /** Calls back at an interval, see {@link set}. */
  repeat(callback: () => void, interval: number): () => void {
    const next = () =>
      this.set(() => {
        cancel = next();
        callback();
      }, interval);
    let cancel = next();
    return () => cancel();
  }

  private register(timer: NodeJS.Timeout): void {
    const { registry, kind, key } = this.options;
    if (kind === 'interval') registry.addInterval(key, timer);
    else registry.addTimeout(key, timer);
    this.timer = timer;
  }

  private unregister(): void {
    const { registry, kind, key } = this.options;
    if (kind === 'interval') registry.deleteInterval(key);
    else registry.deleteTimeout(key);
  }
}

/** A timer that never fires. */
function idleTimer(): NodeJS.Timeout {
  const timer = setTimeout(() => undefined, 0);
  clearTimeout(timer);
  return timer;
}
