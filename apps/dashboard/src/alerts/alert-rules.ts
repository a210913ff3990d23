import type { Condition } from './conditions.js';
import { PROMETHEUS_RULES } from './prometheus-rules.generated.js';

/** The rules for Prometheus that the page can evaluate as well. Critical ones come first. */
export const ALERT_NAMES = [
  'DetectorClusterNoMaster',
  'DetectorClusterTwoMasters',
  'DetectorClusterStateUnknown',
  'DetectorClusterNoWorkerReady',
  'DetectorClusterProcessCutOff',
  'DetectorClusterDesiredStateUnreadable',
  'DetectorClusterMasterChanges',
  'DetectorClusterNoFollower',
  'DetectorClusterWorkersAway',
  'DetectorClusterWorkerQuarantined',
  'DetectorClusterSubscriptionsFailed',
  'DetectorClusterSubscriptionsNotRunning',
  'DetectorClusterCamerasMoveOften',
  'DetectorClusterMovesFail',
] as const satisfies readonly (keyof typeof PROMETHEUS_RULES)[];

export type AlertName = (typeof ALERT_NAMES)[number];

/** A condition that holds. It fires once it has held for as long as its rule demands; until then it is pending. */
export interface Alert extends Condition {
  readonly severity: 'critical' | 'warning';
  /** How long it is still pending, in milliseconds; 0: it fires. */
  readonly firesIn: number;
  /** When the condition began to hold. Milliseconds since 1970. */
  readonly since: number;
}

/** Since when each condition that holds has held, in milliseconds since 1970. */
export type Held = ReadonlyMap<AlertName, number>;

/**
 * Follows the conditions. A page that was just opened knows their beginning only from the data, so `since` of a condition
 * counts if it is earlier.
 * @param before what this function returned for the conditions before
 * @param now milliseconds since 1970, by the clock of the service
 */
export function hold(conditions: readonly Condition[], before: Held, now: number): Held {
  return new Map(
    conditions.map(({ name, since }) => [name, Math.min(before.get(name) ?? now, since ?? now, now)]),
  );
}

/** All alerts, those that fire first, each part in the order of the rules. */
export function alertsOf(conditions: readonly Condition[], held: Held, now: number): readonly Alert[] {
  const all = ALERT_NAMES.flatMap((name) => {
    const condition = conditions.find((one) => one.name === name);
    const since = held.get(name);
    const rule = PROMETHEUS_RULES[name];
    if (condition === undefined || since === undefined) return [];
    return [{ ...condition, since, severity: rule.severity, firesIn: Math.max(0, since + rule.for - now) }];
  });
  return all.toSorted((a, b) => Math.sign(a.firesIn) - Math.sign(b.firesIn));
}

/** The section of the runbook about an alert. */
export function runbookId(name: AlertName): string {
  return name.toLowerCase();
}

/** The service serves the runbook beside this page. */
export function runbookHref(name: AlertName): string {
  return `runbook.html#${runbookId(name)}`;
}
