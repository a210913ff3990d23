import type { MasterControls, MasterMethod } from './master-methods.js';
import { planReport, type PlanPreview } from './plan-report.js';

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
  readonly regenerate = this.answering('regenerate', () => true);
  readonly rebalance = this.answering('rebalance', () => true);
  readonly resubscribe = this.answering('resubscribe', () => 0);
  readonly preview = this.answering('preview', () => planReport(emptyPlan));
  readonly previewDrain = this.answering('previewDrain', () => ({ cameras: 0, withoutRoom: 0 }));
  readonly previewChange = this.answering('previewChange', () => {
    return { term: 7, frozen: false, placements: [], others: [], omitted: 0 };
  });
  readonly explain = this.answering('explain', () => null);
  readonly directivesChanged = this.answering('directivesChanged', () => true);
  readonly setModelVersion = this.answering('setModelVersion', () => true);
  readonly record = this.answering('record', () => true);
  readonly recordOutage = this.answering('recordOutage', () => true);
  readonly resign = this.answering('resign', ({ term }) => ({ term, processId: 'fake' }));

  constructor(private readonly methods: Partial<MasterControls> = {}) {}

  private answering<M extends MasterMethod>(method: M, answer: MasterControls[M]): MasterControls[M] {
    return ((params: never, requestId: string) => {
      const [shown] = Object.values(params);
      this.asked.push(shown === undefined ? method : `${method} ${String(shown)}`);
      return (this.methods[method] ?? answer)(params, requestId);
    }) as MasterControls[M];
  }
}
