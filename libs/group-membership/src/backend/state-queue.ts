/** A first-in, first-out queue for one waiting reader. */
export class StateQueue<Item> {
  private readonly items: Item[] = [];
  private wake: (() => void) | undefined;

  push(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }

  /** Resolves with the next entry; `undefined` once `signal` has aborted and the queue is empty. */
  async next(signal: AbortSignal): Promise<Item | undefined> {
    while (this.items.length === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.wake = wake;
        signal.addEventListener('abort', wake);
      });
    this.wake = undefined;
    return this.items.shift();
  }
}
