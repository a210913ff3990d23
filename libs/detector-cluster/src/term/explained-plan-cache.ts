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
}
interface Kept {
  readonly explained: Promise<ExplainedPlan>;
  /** The desired state for which it is made. */
  readonly desired: unknown;
}
/** Shows operators what is planned, with few decisions for any number of callers. */
export class ExplainedPlanCache {
  private readonly kept = new Map<boolean, Kept>();

  constructor(private readonly options: ExplainedPlanCacheOptions) {}

  /** Up to 250 ms old, or four times as old as it took to make. */
  async of(rebalance: boolean): Promise<ExplainedPlan> {
    return await (this.kept.get(rebalance)?.explained ?? this.make(rebalance));
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
    const began = performance.now();
    const { desired, make } = this.options;
    const kept: Kept = { desired: desired(), explained: make(rebalance) };
    this.kept.set(rebalance, kept);
    const drop = () => {
      if (this.kept.get(rebalance) === kept) this.kept.delete(rebalance);
    };
    try {
      const explained = await kept.explained;
      // It holds an entry for each camera, so it does not stay until the next caller.
      setTimeout(drop, Math.max(KEPT, REST * (performance.now() - began))).unref();
      return explained;
    } catch (error) {
      drop();
      throw error;
    }
  }
}
