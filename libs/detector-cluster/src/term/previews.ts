import {
  otherSteps,
  type ChangePreview,
  type ClusterCapacity,
  type DesiredChange,
  type PlanPreview,
} from '../operators/plan-report.js';
import {
  parseSubscription,
  drainForecast,
  type DrainForecast,
  explainedPlanFor,
  type ReconcileInput,
} from '@detector-cluster/placement/internal';
import type { ModelVersions } from '../shared/cluster-state.js';
import type { Capacity, Plan, SubscriptionExplanation } from '@detector-cluster/placement';
import type { ActualStateStore } from './actual-state-store.js';
import type { DesiredStateStore } from './desired-state-store.js';
import type { PlannerStateStore } from './planner-state-store.js';
import { runInSlices } from '../shared/run-in-slices.js';
import { ExplainedPlanCache } from './explained-plan-cache.js';

export interface PreviewsOptions {
  readonly term: number;
  readonly desired: DesiredStateStore;
  readonly actual: ActualStateStore;
  readonly planner: PlannerStateStore;
  /** The input of a pass that would begin now. */
  readonly input: () => ReconcileInput;
  /** The network of this process seems to have failed, so nothing is moved. */
  readonly frozen: () => boolean;
  readonly models: () => readonly ModelVersions[];
  /** What people call a worker; undefined: it has no name. */
  readonly nameOf: (url: string) => string | undefined;
}

/** Shows operators what a pass would do now. Changes nothing. */
export class Previews {
  private readonly cache: ExplainedPlanCache;

  constructor(private readonly options: PreviewsOptions) {
    this.cache = new ExplainedPlanCache({
      make: (rebalance) => runInSlices(explainedPlanFor({ ...options.input(), rebalance })),
      desired: () => options.desired.entries,
    });
  }

  /** The plan that a pass would make now, or would have made a moment ago. */
  async plan(rebalance: boolean): Promise<PlanPreview> {
    const { plan, capacity } = await this.cache.of(rebalance);
    return this.show(plan, capacity);
  }

  /** The effect of a drain that would begin now. */
  async drain(url: string): Promise<DrainForecast> {
    return await runInSlices(drainForecast(this.options.input(), url));
  }

  /** The effect of a pass now if the desired state were changed. */
  async change({ added, removed }: DesiredChange): Promise<ChangePreview> {
    const { actual, desired, term } = this.options;
    const input: ReconcileInput = { ...this.options.input(), desired: desired.after(added, removed) };
    const explained = await runInSlices(explainedPlanFor(input));
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
    const { plan: unchanged } = await this.cache.of(false);
    const others = otherSteps(actions, unchanged.actions, cameras);
    return { term, frozen: input.frozen, placements, ...others };
  }

  async explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation | null> {
    if (!this.options.desired.entries.has(subscriptionIdentifier)) return null;
    const recent = await this.cache.of(false);
    const explanation = recent.explain(subscriptionIdentifier);
    if (explanation !== null) return explanation;
    const present = await this.cache.ofPresent(false);
    return present.explain(subscriptionIdentifier);
  }

  /** The public form of a plan, with the moves under way. */
  private show({ actions, held, unplaced, scores, balance }: Plan, capacity: Capacity): PlanPreview {
    const { planner, term, frozen, models: versions } = this.options;
    const moves = [...planner.moves.values()].map(({ unitId, from, to, since }) => ({
      unitId,
      from,
      to,
      since: new Date(since).toISOString(),
    }));
    const canaries = versions().filter(({ candidate }) => candidate !== null);
    return {
      term,
      actions,
      held,
      unplaced,
      scores: scores.map((score) => ({ ...score, name: this.options.nameOf(score.url) })),
      balance,
      moves,
      canaries,
      frozen: frozen(),
      capacity: this.named(capacity),
    };
  }

  private named({ models, ...capacity }: Capacity): ClusterCapacity {
    const { emptiestWorker } = capacity;
    const names = new Map<number, string>();
    for (const { spec } of this.options.desired.entries.values()) names.set(spec.modelId, spec.modelName);
    return {
      ...capacity,
      emptiestWorkerName: this.options.nameOf(emptiestWorker ?? ''),
      models: models.map(({ modelId, headroom }) => ({
        model: names.get(modelId) ?? String(modelId),
        headroom,
      })),
    };
  }

  /** The next preview includes what has just happened. */
  forget(): void {
    this.cache.forget();
  }
}
