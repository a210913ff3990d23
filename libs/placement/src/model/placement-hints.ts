import type { DesiredCameraSubscription } from './subscriptions.js';

/** Hints of a subscription for the planner. All subscriptions of one camera are placed together. */
export interface PlacementHints {
  /** Share of a worker's capacity that it takes, above 0; those of a camera are added up. Default 1. */
  readonly cost?: number;
  /** Higher priorities are placed first, and displace lower ones where there is no room; a camera's highest counts. Default 0. */
  readonly priority?: number;
  /** Labels that the worker must carry; a camera needs the labels of all its subscriptions. Default none. */
  readonly selector?: Readonly<Record<string, string>>;
  /**
   * Kinds of workers by their labels, the best first: the camera goes to the first kind that has room, or else to any worker. It does not
   * move for it later, but a rebalance moves it to no worse kind. The list of a camera's first subscription that has one counts. Default none.
   */
  readonly preferred?: readonly Readonly<Record<string, string>>[];
  /** The camera allows one stream at a time: a move stops it on the old worker before the new one starts. Default false. */
  readonly exclusive?: boolean;
}

/** Returns hints for a subscription; undefined: the defaults. Must be pure and fast: each regeneration calls it for each subscription. */
export type PlacementHintsOf = (subscription: DesiredCameraSubscription) => PlacementHints | undefined;

export interface CheckedHints {
  readonly hints: PlacementHints;
  /** The hints that were ignored, and why; empty if none. */
  readonly problems: readonly string[];
}

/** Calls the function and drops unusable hints. Never throws. */
export function checkedHints(
  of: PlacementHintsOf | null,
  subscription: DesiredCameraSubscription,
): CheckedHints {
  if (of === null) return { hints: {}, problems: [] };
  let given: unknown;
  try {
    given = of(subscription);
  } catch (error) {
    return { hints: {}, problems: [`placement: threw ${(error as Error)?.message ?? String(error)}`] };
  }
  if (given === undefined || given === null) return { hints: {}, problems: [] };
  if (typeof given !== 'object') return { hints: {}, problems: ['placement: must return an object'] };
  const { cost, priority, selector, preferred, exclusive } = given as Record<keyof PlacementHints, unknown>;
  const problems: string[] = [];
  const check = <T>(
    name: string,
    value: unknown,
    ok: (value: unknown) => value is T,
    must: string,
  ): T | null => {
    if (value === undefined || value === null) return null;
    if (ok(value)) return value;
    problems.push(`placement.${name}: must be ${must}`);
    return null;
  };
  const hints = {
    cost: check('cost', cost, isCost, 'a number above 0'),
    priority: check('priority', priority, isFiniteNumber, 'a number'),
    selector: check('selector', selector, isLabels, 'an object of strings'),
    preferred: check('preferred', preferred, isListOfLabels, 'a list of objects of strings'),
    exclusive: check('exclusive', exclusive, isBoolean, 'true or false'),
  };
  const known = Object.entries(hints).filter(([, value]) => value !== null);
  return { hints: Object.fromEntries(known) as PlacementHints, problems };
}

const isFiniteNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);
const isCost = (value: unknown): value is number => isFiniteNumber(value) && value > 0;
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isLabels = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((label) => typeof label === 'string');
const isListOfLabels = (value: unknown): value is Record<string, string>[] =>
  Array.isArray(value) && value.every(isLabels);
