import { readText, readYaml } from './repository.js';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleTests {
  readonly tests: readonly {
    readonly promql_expr_test: readonly {
      readonly exp_samples: readonly { readonly labels: string }[];
    }[];
  }[];
}

const FOLDER = 'deploy/prometheus';

export function readAlertRules(): AlertRule[] {
  const { groups } = readYaml<{ groups: { rules: AlertRule[] }[] }>(FOLDER, 'alerts.yml');
  return groups.flatMap(({ rules }) => rules);
}

/** Names of the alerts that fire in the tests of the rules. */
export function alertsSeenFiring(): Set<string> {
  const { tests } = readYaml<RuleTests>(FOLDER, 'alerts.test.yml');
  const labels = tests.flatMap(({ promql_expr_test: each }) =>
    each.flatMap(({ exp_samples: samples }) => samples.map((sample) => sample.labels)),
  );
  return new Set(labels.map((text) => /alertname="(\w+)"/.exec(text)![1]!));
}

/** Names of alerts that have a section in the runbook. */
export function runbookSections(): string[] {
  return [...readText('docs/operations.md').matchAll(/^#### (DetectorCluster\w+)$/gm)].map(
    ([, name]) => name!,
  );
}
