import type { DesiredCameraSubscription } from '../model/subscriptions.js';

/** What the planner should know of a subscription. Those of one camera are placed together. */
export interface PlacementHints {
  /** Share of a worker's capacity that it takes, above 0; those of a camera are added up. Default 1. */
  readonly cost?: number;
  /** Higher goes first, and displaces lower where there is no room; the highest of a camera counts. Default 0. */
  readonly priority?: number;
  /** Labels that the worker must carry, all that any subscription of the camera asks for. Default none. */
  readonly selector?: Readonly<Record<string, string>>;
  /** The camera allows one stream at a time: a move stops it on the old worker before the new one starts. Default false. */
  readonly exclusive?: boolean;
}

/** Hints for a subscription; undefined: the defaults. Pure and fast: it is asked for each one with every regeneration. */
export type PlacementHintsOf = (subscription: DesiredCameraSubscription) => PlacementHints | undefined;

export interface CheckedHints {
  readonly hints: PlacementHints;
  /** What was left out and why; empty when all is well. */
  readonly problems: readonly string[];
}

/** Asks for the hints and leaves out what cannot be used. Never throws. */
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
  const { cost, priority, selector, exclusive } = given as Record<keyof PlacementHints, unknown>;
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
