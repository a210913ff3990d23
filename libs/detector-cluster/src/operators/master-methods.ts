import { z } from 'zod';
import type { OperatorAction } from '../shared/cluster-event.js';
import { type DrainForecast, InvalidInputError } from '@detector-cluster/placement/internal';
import type { SubscriptionExplanation } from '@detector-cluster/placement';
import {
  MAX_CHANGED_SUBSCRIPTIONS,
  planReport,
  type ChangePreview,
  type DesiredChange,
  type PlanReport,
} from './plan-report.js';
import type { MasterControls } from './master-controls.js';
import type { Resignation } from './resigner.js';

/** Maximum length of the name of a user or of an action, in characters. */
export const MAX_NAME = 128;
/** Maximum length of what an action was applied to, in characters. */
export const MAX_TARGET = 512;

const nothing = z.strictObject({});
const resignParams = z.strictObject({ term: z.int() });
const resubscribeParams = z.strictObject({ cameraIdentifier: z.string() });
const rebalanceParams = z.strictObject({ by: z.string().max(MAX_NAME).optional() });
const previewParams = z.strictObject({ rebalance: z.boolean() });
const changeParams = z.strictObject({
  added: z
    .array(z.strictObject({ subscriptionIdentifier: z.string(), modelId: z.int(), modelName: z.string() }))
    .max(MAX_CHANGED_SUBSCRIPTIONS),
  removed: z.array(z.string()).max(MAX_CHANGED_SUBSCRIPTIONS),
});
const versionParams = z.strictObject({ modelId: z.int(), version: z.string() });
const recordParams = z.strictObject({
  by: z.string().max(MAX_NAME),
  action: z.string().max(MAX_NAME),
  target: z.string().max(MAX_TARGET).nullable(),
});
const outageParams = z.strictObject({ processId: z.string().min(1), since: z.int(), until: z.int() });
const drainParams = z.strictObject({ url: z.string() });
const explainParams = z.strictObject({ subscriptionIdentifier: z.string() });

/** The methods of the master: parameters and results, both JSON. */
export interface MasterMethods {
  regenerate: { params: z.infer<typeof nothing>; result: true };
  rebalance: { params: z.infer<typeof rebalanceParams>; result: true };
  resubscribe: { params: z.infer<typeof resubscribeParams>; result: number };
  preview: { params: z.infer<typeof previewParams>; result: PlanReport };
  previewDrain: { params: z.infer<typeof drainParams>; result: DrainForecast };
  previewChange: { params: DesiredChange; result: ChangePreview };
  explain: { params: z.infer<typeof explainParams>; result: SubscriptionExplanation | null };
  directivesChanged: { params: z.infer<typeof nothing>; result: true };
  setModelVersion: { params: z.infer<typeof versionParams>; result: boolean };
  record: { params: OperatorAction; result: true };
  recordOutage: { params: z.infer<typeof outageParams>; result: true };
  resign: { params: z.infer<typeof resignParams>; result: Resignation };
}

export type MasterMethod = keyof MasterMethods;

type Handler = (controls: MasterControls, params: unknown, requestId: string) => unknown;

/** A map, so that no name of `Object.prototype` is a method. */
const handlers = new Map<string, Handler>(
  Object.entries({
    regenerate: async (controls, params) => {
      check(nothing, params);
      await controls.regenerate();
      return true;
    },
    rebalance: async (controls, params) => {
      await controls.rebalance(check(rebalanceParams, params).by ?? null);
      return true;
    },
    resubscribe: (controls, params) =>
      controls.resubscribe(check(resubscribeParams, params).cameraIdentifier),
    preview: async (controls, params) => planReport(await controls.preview(check(previewParams, params))),
    previewDrain: (controls, params) => controls.previewDrain(check(drainParams, params).url),
    previewChange: (controls, params) => controls.previewChange(check(changeParams, params)),
    explain: (controls, params) => controls.explain(check(explainParams, params).subscriptionIdentifier),
    directivesChanged: async (controls, params) => {
      check(nothing, params);
      await controls.directivesChanged();
      return true;
    },
    setModelVersion: (controls, params) => {
      const { modelId, version } = check(versionParams, params);
      return controls.setModelVersion(modelId, version);
    },
    record: (controls, params) => {
      controls.record(check(recordParams, params));
      return true;
    },
    recordOutage: (controls, params) => {
      controls.recordOutage(check(outageParams, params));
      return true;
    },
    resign: (controls, params, requestId) => controls.resign(check(resignParams, params).term, requestId),
  } satisfies Record<MasterMethod, Handler>),
);

/** Whether a method ends the term that receives it, so that its answer has to be sent after the end. */
export function endsTerm(name: string): boolean {
  return name === ('resign' satisfies MasterMethod);
}

/** Null: this version has no such method. */
export function methodOf(name: string): Handler | null {
  return handlers.get(name) ?? null;
}

function check<T>(schema: z.ZodType<T>, params: unknown): T {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data;
  const [issue] = error.issues;
  throw new InvalidInputError(issue?.path.join('.') || 'params', issue?.message ?? 'is not valid');
}
