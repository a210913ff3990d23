import type { OperatorAction } from '../shared/cluster-event.js';
import type { SubscriptionExplanation } from '@detector-cluster/placement';
import type { DrainForecast } from '@detector-cluster/placement/internal';
import type { Resignation } from './resigner.js';
import type { NoticedOutage } from './outage-records.js';
import type { ChangePreview, DesiredChange } from './plan-report.js';
import type { MasterControls, PlanPreview } from './master-controls.js';

export const emptyPlan: PlanPreview = {
  term: 7,
  actions: [],
  held: [],
  unplaced: [],
  scores: [],
  balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: false },
  moves: [],
  canaries: [],
  frozen: false,
  capacity: {
    wantedWorkers: 0,
    openWorkers: 0,
    unplacedUnits: 0,
    unplacedLoad: 0,
    headroom: 0,
    models: [],
    emptiestWorker: null,
  },
};

/** A master that counts the requests; every method can be replaced. */
export class FakeControls implements MasterControls {
  readonly asked: string[] = [];

  constructor(private readonly methods: Partial<MasterControls> = {}) {}

  async regenerate(): Promise<void> {
    this.asked.push('regenerate');
    await this.methods.regenerate?.();
  }

  async rebalance(by: string | null): Promise<void> {
    this.asked.push(by === null ? 'rebalance' : `rebalance ${by}`);
    await this.methods.rebalance?.(by);
  }

  async resubscribe(cameraId: string): Promise<number> {
    this.asked.push(`resubscribe ${cameraId}`);
    return this.methods.resubscribe?.(cameraId) ?? 0;
  }

  async preview(options: { readonly rebalance: boolean }): Promise<PlanPreview> {
    this.asked.push(`preview ${options.rebalance}`);
    return this.methods.preview?.(options) ?? emptyPlan;
  }

  async previewDrain(url: string): Promise<DrainForecast> {
    this.asked.push(`previewDrain ${url}`);
    return this.methods.previewDrain?.(url) ?? { cameras: 0, withoutRoom: 0 };
  }

  async previewChange(change: DesiredChange): Promise<ChangePreview> {
    this.asked.push('previewChange');
    const none = { term: 7, frozen: false, placements: [], others: [], omitted: 0 };
    return this.methods.previewChange?.(change) ?? none;
  }

  async explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation | null> {
    this.asked.push(`explain ${subscriptionIdentifier}`);
    return this.methods.explain?.(subscriptionIdentifier) ?? null;
  }

  async directivesChanged(): Promise<void> {
    this.asked.push('directivesChanged');
    await this.methods.directivesChanged?.();
  }

  async setModelVersion(modelId: number, version: string): Promise<boolean> {
    this.asked.push(`setModelVersion ${modelId} ${version}`);
    return this.methods.setModelVersion?.(modelId, version) ?? true;
  }

  record(action: OperatorAction): void {
    this.asked.push(`record ${action.action}`);
    this.methods.record?.(action);
  }

  recordOutage(outage: NoticedOutage): void {
    this.asked.push(`recordOutage ${outage.processId}`);
    this.methods.recordOutage?.(outage);
  }

  async resign(term: number, requestId: string): Promise<Resignation> {
    this.asked.push(`resign ${term}`);
    return this.methods.resign?.(term, requestId) ?? { term, processId: 'fake' };
  }
}
