import type { SubscriptionExplanation } from '@detector-cluster/placement';
import {
  InvalidInputError,
  parseSubscription,
  type DrainForecast,
} from '@detector-cluster/placement/internal';
import { z } from 'zod';
import { MAX_CHANGED_SUBSCRIPTIONS, type ChangePreview, type PlanReport } from './plan-report.js';
import type { Resignation } from './resigner.js';

/** Maximum length of the name of a user or of an action, in characters. */
const MAX_NAME = 128;
/** Maximum length of what an action was applied to, in characters. */
const MAX_TARGET = 512;

/** What the master carries out for any process, and the answers. Answers are JSON, which has no value for nothing. */
interface MasterResults {
  /** Reads the desired state now. Answers once there is a plan for it. */
  readonly regenerate: true;
  /**
   * Reads the desired state and rebalances now, even if it is within the bands at which rebalancing starts automatically.
   * Answers once its plan was carried out.
   */
  readonly rebalance: true;
  /** Resends every subscription of a camera to its worker. Answers with their number once they have been sent. */
  readonly resubscribe: number;
  /** A plan at most a moment old, which is not carried out; with `rebalance`, as if rebalancing had been requested. */
  readonly preview: PlanReport;
  /** What a drain of the worker would do; nothing is changed. */
  readonly previewDrain: DrainForecast;
  /** What this master would do after the change; nothing is changed. */
  readonly previewChange: ChangePreview;
  /**
   * Null if the subscription is not desired. Waits for the first read of the desired state if the answer may depend on it, and fails with
   * `MasterRequestError` `unreadable` when it could not be read.
   */
  readonly explain: SubscriptionExplanation | null;
  /** Reads the operators' directives and applies them. Answers once the plan takes them into account. */
  readonly directivesChanged: true;
  /** All cameras of a model run this version of its file. Answers whether that has changed anything, once it is written down. */
  readonly setModelVersion: boolean;
  /** Writes an action to the history. */
  readonly record: true;
  /** Writes an outage of Redis to the history, once for all processes that noticed it. */
  readonly recordOutage: true;
  /**
   * Gives up leadership if `term` is that of this master. Answers when the election has recorded it. The same request always gets the same
   * answer, also from later masters. Fails with `MasterChangedError` when another term leads.
   */
  readonly resign: Resignation;
}

const nothing = z.strictObject({});
const text = (most: number) => {
  const problem = `must be text of up to ${most} characters`;
  return z.string(problem).max(most, problem);
};
const changes = <T extends z.ZodType>(change: T) => {
  const problem = `must be an array of up to ${MAX_CHANGED_SUBSCRIPTIONS} entries`;
  return z.array(change, problem).max(MAX_CHANGED_SUBSCRIPTIONS, problem).readonly();
};
const subscriptionIdentifier = z.string().superRefine((id, context) => {
  try {
    parseSubscription(id);
  } catch (error) {
    context.addIssue((error as InvalidInputError).message);
  }
});

/** The parameters. The caller checks them, and the master does, because the caller may run another version. */
const schemas = {
  regenerate: nothing,
  rebalance: z.strictObject({ by: text(MAX_NAME).optional() }),
  resubscribe: z.strictObject({ cameraIdentifier: z.string() }),
  preview: z.strictObject({ rebalance: z.boolean('must be true or false') }),
  previewDrain: z.strictObject({ url: z.string() }),
  previewChange: z.strictObject({
    added: changes(z.strictObject({ subscriptionIdentifier, modelId: z.int(), modelName: z.string() })),
    removed: changes(subscriptionIdentifier),
  }),
  explain: z.strictObject({ subscriptionIdentifier: z.string() }),
  directivesChanged: nothing,
  setModelVersion: z.strictObject({
    modelId: z.int('must be the id of a model'),
    version: z.string('must be a version that getModels() lists').min(1, 'must not be empty'),
  }),
  record: z.strictObject({
    by: text(MAX_NAME),
    action: text(MAX_NAME),
    target: text(MAX_TARGET).nullable(),
  }),
  recordOutage: z.strictObject({ processId: z.string().min(1), since: z.int(), until: z.int() }),
  resign: z.strictObject({ term: z.int('must be the term of a master').positive() }),
} satisfies Record<keyof MasterResults, z.ZodType>;

export type MasterMethod = keyof MasterResults;

/** The parameters and the result of each method. */
export type MasterMethods = {
  readonly [Name in MasterMethod]: {
    readonly params: z.infer<(typeof schemas)[Name]>;
    readonly result: MasterResults[Name];
  };
};

/** The methods of a master. */
export type MasterControls = {
  [Name in MasterMethod]: (
    params: MasterMethods[Name]['params'],
    requestId: string,
  ) => MasterResults[Name] | Promise<MasterResults[Name]>;
};

/** Whether a method ends the term that receives it, so that its answer has to be sent after the end. */
export function endsTerm(name: string): boolean {
  return name === ('resign' satisfies MasterMethod);
}

/** Whether this version has the method. No name of `Object.prototype` is one. */
export const isMethod = (name: string): name is MasterMethod => Object.hasOwn(schemas, name);

/** @throws {InvalidInputError} naming the parameter */
export function checkedParams<M extends MasterMethod>(
  method: M,
  params: unknown,
): MasterMethods[M]['params'] {
  const { success, data, error } = schemas[method].safeParse(params);
  if (success) return data as MasterMethods[M]['params'];
  const [issue] = error.issues;
  throw new InvalidInputError(issue?.path.join('.') || 'params', issue?.message ?? 'is not valid');
}
