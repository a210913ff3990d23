import type { Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/** Where one version of a model runs. */
export interface VersionRuns {
  /** Null: unknown. */
  readonly version: string | null;
  readonly subscriptions: number;
  /** Of these, how many run. */
  readonly active: number;
  /** URLs, sorted. */
  readonly workers: readonly string[];
}

/** Name of a model → its versions that subscriptions are to run, sorted. */
export function versionRuns(rows: Rows<SubscriptionRow>): ReadonlyMap<string, readonly VersionRuns[]> {
  const models = new Map<string, Map<string | null, Counted>>();
  for (const { model, status, version, workerUrl } of Object.values(rows)) {
    if (model === null) continue;
    const versions = models.get(model) ?? new Map<string | null, Counted>();
    models.set(model, versions);
    const counted = versions.get(version) ?? { version, subscriptions: 0, active: 0, workers: new Set() };
    versions.set(version, counted);
    counted.subscriptions++;
    if (status === 'active') counted.active++;
    if (workerUrl !== '') counted.workers.add(workerUrl);
  }
  return new Map(
    [...models].map(([model, versions]) => [model, [...versions.values()].map(runsOf).sort(byVersion)]),
  );
}

interface Counted extends Pick<VersionRuns, 'version'> {
  subscriptions: number;
  active: number;
  readonly workers: Set<string>;
}

const runsOf = ({ workers, ...counts }: Counted): VersionRuns => ({
  ...counts,
  workers: [...workers].sort(),
});

const byVersion = (a: VersionRuns, b: VersionRuns) => (a.version ?? '').localeCompare(b.version ?? '');
