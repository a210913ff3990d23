/** What is put in, in order, for one reader that waits. */
export class StateQueue<Item> {
  private readonly items: Item[] = [];
  private wake: (() => void) | undefined;

  push(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }

  /** The next one; `undefined` once `signal` aborts and there is none left. */
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
