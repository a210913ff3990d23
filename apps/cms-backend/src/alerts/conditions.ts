import type { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import type { PROMETHEUS_RULES } from './prometheus-rules.generated.js';

/** The rules for Prometheus that a master evaluates as well. */
export const MASTER_ALERTS = [
  'DetectorClusterNoWorkerReady',
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

export type MasterAlert = (typeof MASTER_ALERTS)[number];

/** What rules count within an hour, and how many are not yet too many. */
export const COUNT_LIMITS = { masters: 6, moved: 20, failed: 5 } as const;

/** Times in milliseconds since 1970, oldest first: the newest ones, one more than the limit. */
export type Counted = Readonly<Record<keyof typeof COUNT_LIMITS, readonly number[]>>;

const HOUR = 3_600_000;

/** What a master knows of its cluster, without asking a server. */
export interface ClusterFacts {
  readonly workers: NonNullable<MasterSlaveWorkerCluster['workerStates']>;
  readonly subscriptions: NonNullable<MasterSlaveWorkerCluster['subscriptionsByStatus']>;
  readonly processes: number;
  /** The database does not answer this process. */
  readonly databaseFails: boolean;
}

/** The condition of a rule, which holds now. */
export interface Condition {
  readonly name: MasterAlert;
  /** A sentence for people. */
  readonly summary: string;
  /** The worker that it is about; null: several, or none. */
  readonly workerUrl: string | null;
}

/** @param now milliseconds since 1970 */
export function conditionsOf(
  { workers, subscriptions, processes, databaseFails }: ClusterFacts,
  counted: Counted,
  now: number,
): readonly Condition[] {
  const { active, pending, recovering, failed } = subscriptions;
  const idle = pending + recovering + failed;
  const away = workers.filter(({ state }) => state !== 'Ready' && state !== 'Quarantined');
  const quarantined = workers.filter(({ state }) => state === 'Quarantined');
  const noneReady = away.length + quarantined.length === workers.length;
  const tooMany = (kind: keyof Counted) =>
    counted[kind].filter((at) => at > now - HOUR).length > COUNT_LIMITS[kind];
  const all: readonly (readonly [MasterAlert, boolean, string, typeof workers?])[] = [
    [
      'DetectorClusterNoWorkerReady',
      noneReady && active + idle > 0,
      `No worker is ready for ${counting(active + idle, 'subscription')}.`,
    ],
    ['DetectorClusterDesiredStateUnreadable', databaseFails, 'The master cannot read the database.'],
    [
      'DetectorClusterMasterChanges',
      tooMany('masters'),
      `The master has changed more than ${COUNT_LIMITS.masters} times within an hour.`,
    ],
    ['DetectorClusterNoFollower', processes < 2, 'The cluster runs as a single process.'],
    ['DetectorClusterWorkersAway', away.length > 0, `${are(away.length, 'worker')} unavailable.`, away],
    [
      'DetectorClusterWorkerQuarantined',
      quarantined.length > 0,
      `${are(quarantined.length, 'worker')} quarantined.`,
      quarantined,
    ],
    [
      'DetectorClusterSubscriptionsFailed',
      failed > 0,
      `Every worker refuses ${counting(failed, 'subscription')}.`,
    ],
    ['DetectorClusterSubscriptionsNotRunning', idle > 0, `${are(idle, 'subscription')} not active.`],
    [
      'DetectorClusterCamerasMoveOften',
      tooMany('moved'),
      `More than ${COUNT_LIMITS.moved} cameras moved within an hour because their workers went offline.`,
    ],
    [
      'DetectorClusterMovesFail',
      tooMany('failed'),
      `More than ${COUNT_LIMITS.failed} moves of cameras failed within an hour.`,
    ],
  ];
  return all.flatMap(([name, holds, summary, about = []]) =>
    holds ? [{ name, summary, workerUrl: about.length === 1 ? about[0]!.url : null }] : [],
  );
}

function counting(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function are(count: number, noun: string): string {
  return `${counting(count, noun)} ${count === 1 ? 'is' : 'are'}`;
}
