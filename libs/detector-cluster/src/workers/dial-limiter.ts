/** Number of places that are reserved for hosts that were not silent. */
const RESERVED = 4;

/**
 * Hands out places to dial: at most `limit` at once, in order of arrival, so that a fleet of workers is not dialled at one instant.
 * Hosts that answered or refused when they were dialled last go first, and others never take the last places, so that silent hosts
 * never delay healthy ones.
 */
export class DialLimiter {
  private active = 0;
  private activeOthers = 0;
  private readonly expected: (() => void)[] = [];
  private readonly others: (() => void)[] = [];

  constructor(private readonly limit = 16) {}

  /**
   * Resolves with a function that gives the place back; calling it twice is harmless.
   * @param answered whether the host answered when it was dialled last
   */
  async acquire(answered: boolean): Promise<() => void> {
    await new Promise<void>((resolve) => {
      (answered ? this.expected : this.others).push(resolve);
      this.admit();
    });
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.active--;
      if (!answered) this.activeOthers--;
      this.admit();
    };
  }

  private admit(): void {
    while (this.active < this.limit) {
      const expected = this.expected.shift();
      if (expected === undefined && this.activeOthers >= this.limit - RESERVED) return;
      const next = expected ?? this.others.shift();
      if (next === undefined) return;
      this.active++;
      if (expected === undefined) this.activeOthers++;
      next();
    }
  }
}
