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
