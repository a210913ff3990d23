export { seededRandom as random } from '@detector-cluster/election/internal';
import type { PlanUnit, PlanWorker } from '../plan.types.js';

/** A ready worker that reports no metrics. */
export const worker = (url: string, more: Partial<PlanWorker> = {}): PlanWorker => ({
  url,
  state: 'Ready',
  cpu: null,
  memory: null,
  gpu: null,
  gpuMemory: null,
  ...more,
});

export const workers = (count: number, more: Partial<PlanWorker> = {}): PlanWorker[] =>
  Array.from({ length: count }, (_, i) => worker(`w${i}`, more));

/** A camera with one subscription. */
export const unit = (unitId: string, more: Partial<PlanUnit> = {}): PlanUnit => ({
  unitId,
  subscriptions: [`d;${unitId}`],
  cost: 1,
  ...more,
});

export const units = (count: number, more: Partial<PlanUnit> = {}): PlanUnit[] =>
  Array.from({ length: count }, (_, i) => unit(`cam-${i}`, more));
