import type { Condition } from './conditions.js';

/** A rule for Prometheus in deploy/prometheus/alerts.yml that the page can evaluate as well. */
export interface AlertRule {
  readonly severity: 'critical' | 'warning';
  /** How long its condition has to hold. Milliseconds. */
  readonly for: number;
}

const MINUTE = 60_000;

/** By the name of the alert. Critical ones come first. */
export const ALERT_RULES = {
  DetectorClusterNoMaster: { severity: 'critical', for: MINUTE },
  DetectorClusterTwoMasters: { severity: 'critical', for: MINUTE },
  DetectorClusterStateUnknown: { severity: 'critical', for: 2 * MINUTE },
  DetectorClusterNoWorkerReady: { severity: 'critical', for: MINUTE },
  DetectorClusterProcessCutOff: { severity: 'warning', for: 2 * MINUTE },
  DetectorClusterDesiredStateUnreadable: { severity: 'warning', for: 5 * MINUTE },
  DetectorClusterMasterChanges: { severity: 'warning', for: 0 },
  DetectorClusterNoFollower: { severity: 'warning', for: 10 * MINUTE },
  DetectorClusterWorkersAway: { severity: 'warning', for: 5 * MINUTE },
  DetectorClusterWorkerQuarantined: { severity: 'warning', for: MINUTE },
  DetectorClusterSubscriptionsFailed: { severity: 'warning', for: 5 * MINUTE },
  DetectorClusterSubscriptionsNotRunning: { severity: 'warning', for: 5 * MINUTE },
  DetectorClusterCamerasMoveOften: { severity: 'warning', for: 0 },
  DetectorClusterMovesFail: { severity: 'warning', for: 0 },
} as const satisfies Readonly<Record<string, AlertRule>>;

export type AlertName = keyof typeof ALERT_RULES;

export const ALERT_NAMES = Object.keys(ALERT_RULES) as readonly AlertName[];

/** A condition that has held for as long as its rule demands. */
export interface Alert extends Condition, Pick<AlertRule, 'severity'> {
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

/** The alerts that fire, in the order of the rules. */
export function alertsOf(conditions: readonly Condition[], held: Held, now: number): readonly Alert[] {
  return ALERT_NAMES.flatMap((name) => {
    const condition = conditions.find((one) => one.name === name);
    const since = held.get(name);
    const rule = ALERT_RULES[name];
    if (condition === undefined || since === undefined || now - since < rule.for) return [];
    return [{ ...condition, since, severity: rule.severity }];
  });
}

/** The section of the runbook about an alert. */
export function runbookId(name: AlertName): string {
  return name.toLowerCase();
}

/** The service serves the runbook beside this page. */
export function runbookHref(name: AlertName): string {
  return `runbook.html#${runbookId(name)}`;
}
