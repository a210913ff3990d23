/** Something to wait at: `open()` lets everybody pass who waits at this moment. */
export class Gate {
  private waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  open(): void {
    const waiting = this.waiting;
    if (waiting.length === 0) return;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
