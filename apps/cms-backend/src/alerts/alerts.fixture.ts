import type { ClusterFacts } from './conditions.js';

/** A cluster that is well, except for what is given. */
export const factsOf = (more: Partial<ClusterFacts> = {}): ClusterFacts => ({
  workers: [workerIn('Ready', 'ws://a')],
  subscriptions: { active: 2, pending: 0, recovering: 0, failed: 0 },
  processes: 2,
  databaseFails: false,
  ...more,
});

export const workerIn = (state: ClusterFacts['workers'][number]['state'], url: string) =>
  ({ state, url }) as ClusterFacts['workers'][number];

/** A worker is unavailable, for which the rule waits for five minutes. */
export const oneAway = factsOf({ workers: [workerIn('Ready', 'ws://a'), workerIn('Offline', 'ws://b')] });

/** The database fails, for which the rule waits for five minutes. */
export const withoutDatabase = factsOf({ databaseFails: true });
