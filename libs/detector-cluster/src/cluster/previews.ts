import { otherSteps, type ChangePreview, type DesiredChange } from '../control/plan-report.js';
import type { PlanPreview } from '../control/master-controls.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import { ExplainedPlan } from '../planner/plan.js';
import type { Plan, SubscriptionExplanation } from '../planner/plan.types.js';
import { planInputFor, type ReconcileInput } from '../reconcile/reconcile.js';
import type { ActualStateStore } from '../state/actual-state-store.js';
import type { DesiredStateStore } from '../state/desired-state-store.js';
import type { PlannerStateStore } from '../state/planner-state-store.js';

export interface PreviewsOptions {
  readonly term: number;
  readonly desired: DesiredStateStore;
  readonly actual: ActualStateStore;
  readonly planner: PlannerStateStore;
  /** The input of a pass that would begin now. */
  readonly input: () => ReconcileInput;
  /** The network of this process seems to have failed, so nothing is moved. */
  readonly frozen: () => boolean;
}

/** Shows operators what a pass would do now. Changes nothing. */
export class Previews {
  private readonly cache: ExplainedPlanCache;

  constructor(private readonly options: PreviewsOptions) {
    this.cache = new ExplainedPlanCache({
      make: (rebalance) => new ExplainedPlan(planInputFor({ ...options.input(), rebalance })),
      desired: () => options.desired.entries,
    });
  }

  /** The plan that a pass would make now, or would have made a moment ago. */
  plan(rebalance: boolean): PlanPreview {
    return this.show(this.cache.of(rebalance).plan);
  }

  /** The effect of a pass now if the desired state were changed. */
  change({ added, removed }: DesiredChange): ChangePreview {
    const { actual, desired, term } = this.options;
    const input: ReconcileInput = { ...this.options.input(), desired: desired.after(added, removed) };
    const explained = new ExplainedPlan(planInputFor(input));
    const { actions, unplaced } = explained.plan;
    const reasons = new Map(unplaced.map((unit) => [unit.unitId, unit.reasons]));
    const ids = [...added.map(({ subscriptionIdentifier }) => subscriptionIdentifier), ...removed];
    const placements = ids.map((id) => ({
      subscriptionIdentifier: id,
      from: actual.tracked.get(id)?.workerUrl || null,
      to: explained.placeOf(id),
      reasons: input.desired.has(id) ? (reasons.get(parseSubscription(id).cameraId) ?? null) : null,
    }));
    const cameras = new Set(ids.map((id) => parseSubscription(id).cameraId));
    const others = otherSteps(actions, this.cache.of(false).plan.actions, cameras);
    return { term, frozen: input.frozen, placements, ...others };
  }

  explain(subscriptionIdentifier: string): SubscriptionExplanation | null {
    if (!this.options.desired.entries.has(subscriptionIdentifier)) return null;
    return (
      this.cache.of(false).explain(subscriptionIdentifier) ??
      this.cache.ofPresent(false).explain(subscriptionIdentifier)
    );
  }

  /** The public form of a plan, with the moves under way. */
  show({ actions, held, unplaced, scores, balance }: Plan): PlanPreview {
    const { planner, term, frozen } = this.options;
    const moves = [...planner.moves.values()].map(({ unitId, from, to, since }) => ({
      unitId,
      from,
      to,
      since: new Date(since).toISOString(),
    }));
    return { term, actions, held, unplaced, scores, balance, moves, frozen: frozen() };
  }

  /** The next preview includes what has just happened. */
  forget(): void {
    this.cache.forget();
  }
}

/** For how long a plan is reused. Milliseconds. */
const KEPT = 250;

/** A plan is reused for at least this many times as long as it took to make, so that previews take little of the master's time. */
const REST = 8;

export interface ExplainedPlanCacheOptions {
  /** What is planned now; with `rebalance` as if rebalancing had been requested. */
  readonly make: (rebalance: boolean) => ExplainedPlan;
  /** The desired state; a new object after each change. */
  readonly desired: () => unknown;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Kept {
  readonly explained: ExplainedPlan;
  readonly desired: unknown;
  readonly until: number;
}

/** Shows operators what is planned, with few decisions for any number of callers. */
export class ExplainedPlanCache {
  private readonly kept = new Map<boolean, Kept>();
  private readonly now: () => number;

  constructor(private readonly options: ExplainedPlanCacheOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Up to 250 ms old, or eight times as old as it took to make. */
  of(rebalance: boolean): ExplainedPlan {
    const kept = this.kept.get(rebalance);
    return kept !== undefined && this.now() < kept.until ? kept.explained : this.make(rebalance);
  }

  /** The plan for the present desired state. */
  ofPresent(rebalance: boolean): ExplainedPlan {
    const kept = this.kept.get(rebalance);
    return kept?.desired === this.options.desired() ? this.of(rebalance) : this.make(rebalance);
  }

  /** The next plan includes what has just happened. */
  forget(): void {
    this.kept.clear();
  }

  private make(rebalance: boolean): ExplainedPlan {
    const began = this.now();
    const explained = this.options.make(rebalance);
    const ended = this.now();
    const until = ended + Math.max(KEPT, REST * (ended - began));
    this.kept.set(rebalance, { explained, desired: this.options.desired(), until });
    return explained;
  }
}
