import { z } from 'zod';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import { MAX_CHANGED_SUBSCRIPTIONS, planReport } from './plan-report.js';
import type { MasterControls } from './master-controls.js';

/** Maximum length of the name of a user or of an action, in characters. */
export const MAX_NAME = 128;
/** Maximum length of what an action was applied to, in characters. */
export const MAX_TARGET = 512;

/** Parameters and result are JSON. */
interface Method<Params, Result> {
  readonly params: z.ZodType<Params>;
  readonly run: (controls: MasterControls, params: Params, requestId: string) => Promise<Result>;
}

const method = <Params, Result>(
  params: z.ZodType<Params>,
  run: Method<Params, Result>['run'],
): Method<Params, Result> => ({ params, run });

const nothing = z.strictObject({});

/** JSON has no value for nothing. */
async function done(work: Promise<void> | void): Promise<true> {
  await work;
  return true;
}

/** What the master carries out for any process. */
const methods = {
  regenerate: method(nothing, (controls) => done(controls.regenerate())),
  rebalance: method(z.strictObject({ by: z.string().max(MAX_NAME).optional() }), (controls, { by }) =>
    done(controls.rebalance(by ?? null)),
  ),
  resubscribe: method(z.strictObject({ cameraIdentifier: z.string() }), (controls, { cameraIdentifier }) =>
    controls.resubscribe(cameraIdentifier),
  ),
  preview: method(z.strictObject({ rebalance: z.boolean() }), async (controls, options) =>
    planReport(await controls.preview(options)),
  ),
  previewDrain: method(z.strictObject({ url: z.string() }), (controls, { url }) =>
    controls.previewDrain(url),
  ),
  previewChange: method(
    z.strictObject({
      added: z
        .array(
          z.strictObject({ subscriptionIdentifier: z.string(), modelId: z.int(), modelName: z.string() }),
        )
        .max(MAX_CHANGED_SUBSCRIPTIONS)
        .readonly(),
      removed: z.array(z.string()).max(MAX_CHANGED_SUBSCRIPTIONS).readonly(),
    }),
    (controls, change) => controls.previewChange(change),
  ),
  explain: method(z.strictObject({ subscriptionIdentifier: z.string() }), (controls, params) =>
    controls.explain(params.subscriptionIdentifier),
  ),
  directivesChanged: method(nothing, (controls) => done(controls.directivesChanged())),
  setModelVersion: method(
    z.strictObject({ modelId: z.int(), version: z.string() }),
    (controls, { modelId, version }) => controls.setModelVersion(modelId, version),
  ),
  record: method(
    z.strictObject({
      by: z.string().max(MAX_NAME),
      action: z.string().max(MAX_NAME),
      target: z.string().max(MAX_TARGET).nullable(),
    }),
    (controls, action) => done(controls.record(action)),
  ),
  recordOutage: method(
    z.strictObject({ processId: z.string().min(1), since: z.int(), until: z.int() }),
    (controls, outage) => done(controls.recordOutage(outage)),
  ),
  resign: method(z.strictObject({ term: z.int() }), (controls, { term }, requestId) =>
    controls.resign(term, requestId),
  ),
};

export type MasterMethod = keyof typeof methods;

/** The parameters and the result of each method. */
export type MasterMethods = {
  readonly [Name in MasterMethod]: (typeof methods)[Name] extends Method<infer Params, infer Result>
    ? { readonly params: Params; readonly result: Result }
    : never;
};

/** Whether a method ends the term that receives it, so that its answer has to be sent after the end. */
export function endsTerm(name: string): boolean {
  return name === ('resign' satisfies MasterMethod);
}

/** Null: this version has no such method. */
export function methodOf(name: string): Method<unknown, unknown>['run'] | null {
  // No name of `Object.prototype` is a method.
  if (!Object.hasOwn(methods, name)) return null;
  const { params: schema, run } = methods[name as MasterMethod] as unknown as Method<unknown, unknown>;
  return async (controls, params, requestId) => run(controls, check(schema, params), requestId);
}

function check<T>(schema: z.ZodType<T>, params: unknown): T {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data;
  const [issue] = error.issues;
  throw new InvalidInputError(issue?.path.join('.') || 'params', issue?.message ?? 'is not valid');
}
