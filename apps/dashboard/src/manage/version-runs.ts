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
  const models = new Map<string, Map<string | null, VersionRuns>>();
  for (const { model, status, version, workerUrl } of Object.values(rows)) {
    if (model === null) continue;
    const versions = models.get(model) ?? new Map<string | null, VersionRuns>();
    models.set(model, versions);
    const known = versions.get(version) ?? { version, subscriptions: 0, active: 0, workers: [] };
    const isNewWorker = workerUrl !== '' && !known.workers.includes(workerUrl);
    versions.set(version, {
      version,
      subscriptions: known.subscriptions + 1,
      active: known.active + (status === 'active' ? 1 : 0),
      workers: isNewWorker ? [...known.workers, workerUrl].sort() : known.workers,
    });
  }
  const byVersion = (a: VersionRuns, b: VersionRuns) => (a.version ?? '').localeCompare(b.version ?? '');
  return new Map([...models].map(([model, versions]) => [model, [...versions.values()].sort(byVersion)]));
}
