import type { ExplainedPlan } from '@detector-cluster/placement/internal';

/** For how long a plan is reused. Milliseconds. */
const KEPT = 250;
/**
 * A plan is reused for at least this many times as long as it took to make, so that previews take little of the master's time. Half of
 * that time were pauses.
 */
const REST = 4;

export interface ExplainedPlanCacheOptions {
  /** What is planned now; with `rebalance` as if rebalancing had been requested. */
  readonly make: (rebalance: boolean) => Promise<ExplainedPlan>;
  /** The desired state; a new object after each change. */
  readonly desired: () => unknown;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}
interface Kept {
  readonly explained: Promise<ExplainedPlan>;
  /** The desired state for which it is made. */
  readonly desired: unknown;
  /** Infinite while it is made. */
  until: number;
}
/** Shows operators what is planned, with few decisions for any number of callers. */
export class ExplainedPlanCache {
  private readonly kept = new Map<boolean, Kept>();
  private readonly now: () => number;

  constructor(private readonly options: ExplainedPlanCacheOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Up to 250 ms old, or four times as old as it took to make. */
  async of(rebalance: boolean): Promise<ExplainedPlan> {
    const kept = this.kept.get(rebalance);
    return await (kept !== undefined && this.now() < kept.until ? kept.explained : this.make(rebalance));
  }

  /** The plan for the present desired state. */
  async ofPresent(rebalance: boolean): Promise<ExplainedPlan> {
    const kept = this.kept.get(rebalance);
    return await (kept?.desired === this.options.desired() ? this.of(rebalance) : this.make(rebalance));
  }

  /** The next plan includes what has just happened. */
  forget(): void {
    this.kept.clear();
  }

  private async make(rebalance: boolean): Promise<ExplainedPlan> {
    const began = this.now();
    const { desired, make } = this.options;
    const kept: Kept = { desired: desired(), explained: make(rebalance), until: Number.POSITIVE_INFINITY };
    this.kept.set(rebalance, kept);
    try {
      return await kept.explained;
    } catch (error) {
      if (this.kept.get(rebalance) === kept) this.kept.delete(rebalance);
      throw error;
    } finally {
      const ended = this.now();
      kept.until = ended + Math.max(KEPT, REST * (ended - began));
    }
  }
}
