/** Hands out at most `limit` permits at once, in order of arrival: a fleet of workers is not dialled all at the same instant. */
export class DialLimiter {
  private active = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit = 16) {}

  /** Resolves with a function that gives the permit back; calling it twice is harmless. */
  async acquire(): Promise<() => void> {
    if (this.active >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.active++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.waiting.shift();
      if (next) next();
      else this.active--;
    };
  }
}
