import type { Outlook } from '../planner/plan.js';

/** For how long an outlook is reused. Milliseconds. */
const KEPT = 250;

/** An outlook is reused for at least this many times as long as it took to make, so that previews take little of the master's time. */
const REST = 8;

export interface OutlookCacheOptions {
  /** What is planned now; with `rebalance` as if levelling had been asked for. */
  readonly make: (rebalance: boolean) => Outlook;
  /** What should run; another object when subscriptions have come or gone. */
  readonly desired: () => unknown;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Kept {
  readonly outlook: Outlook;
  readonly desired: unknown;
  readonly until: number;
}

/** Shows operators what is planned, with few decisions for any number of callers. */
export class OutlookCache {
  private readonly kept = new Map<boolean, Kept>();
  private readonly now: () => number;

  constructor(private readonly options: OutlookCacheOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Up to 250 ms old, or eight times as old as it took to make. */
  of(rebalance: boolean): Outlook {
    const kept = this.kept.get(rebalance);
    return kept !== undefined && this.now() < kept.until ? kept.outlook : this.make(rebalance);
  }

  /** Of what should run at this moment. */
  ofPresent(rebalance: boolean): Outlook {
    const kept = this.kept.get(rebalance);
    return kept?.desired === this.options.desired() ? this.of(rebalance) : this.make(rebalance);
  }

  /** The next outlook includes what has just happened. */
  forget(): void {
    this.kept.clear();
  }

  private make(rebalance: boolean): Outlook {
    const began = this.now();
    const outlook = this.options.make(rebalance);
    const ended = this.now();
    const until = ended + Math.max(KEPT, REST * (ended - began));
    this.kept.set(rebalance, { outlook, desired: this.options.desired(), until });
    return outlook;
  }
}
