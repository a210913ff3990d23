import { systemClock } from '@detector-cluster/election';
import { Condition } from '@detector-cluster/election/internal';

/** A first-in, first-out queue for one waiting reader. */
export class StateQueue<Item> {
  private readonly items: Item[] = [];
  private readonly pushed = new Condition(systemClock);

  push(item: Item): void {
    this.items.push(item);
    this.pushed.notify();
  }

  /** Resolves with the next entry; `undefined` once `signal` has aborted and the queue is empty. */
  async next(signal: AbortSignal): Promise<Item | undefined> {
    while (this.items.length === 0 && !signal.aborted) await this.pushed.wait(Infinity, signal);
    return this.items.shift();
  }
}
