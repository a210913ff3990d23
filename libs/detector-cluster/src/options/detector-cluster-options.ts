import type { RedisSource } from '@detector-cluster/election/redis';
import type { CanaryOptions } from './canary-options.js';
import type { RebalanceWindow } from './rebalance-windows.js';
import type { WorkerLimits } from '../workers/worker-limits.js';
import type { DesiredStateSource } from '../sources/desired-state-source.js';
import type { PlacementHintsOf } from '@detector-cluster/placement/internal';
import type { PrismaDesiredClient } from '../sources/prisma-desired-source.js';
import type { ModelUrlProvider } from '../sources/model-url-provider.js';
import type { ChangeFeedOptions } from '../sources/change-feed/change-feed-settings.js';
import type { WorkerOption, WorkerReader } from '../workers/worker-definition.js';
import type { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import type { RouterOptions } from '@detector-cluster/delivery';
import type { Acceptance } from '@detector-cluster/delivery/internal';

/** Milliseconds. */
export interface DetectorClusterTimings {
  /** Time without a state report after which a worker is Suspect. Default 10,000. */
  readonly workerSilence: number;
  /** Time as Suspect after which a worker loses its subscriptions. Default 15,000. */
  readonly workerEviction: number;
  /**
   * How long a new master waits for first reports before it places subscriptions that no known worker runs. After the same time, a former
   * master closes its connections to workers. Default 5,000.
   */
  readonly adoptionTimeout: number;
  /**
   * The desired state is read again this often without a reason, or every 100 times as long as a read takes if that is longer, at most
   * 5 min. Default 30,000.
   */
  readonly resyncInterval: number;
  /** How long `modelUrl.urlFor` and the function `workers` may take. Default 10,000. */
  readonly callTimeout: number;
  /** How long the desired state may take to be read. Default 30,000. */
  readonly readTimeout: number;
}

export interface DetectorClusterOptions extends DeliveryOptions {
  /** Where the cluster keeps its state: URL, ioredis options, or an instance to copy settings from. */
  readonly redis: RedisSource;
  /**
   * Prefix of every key and channel; on Redis Cluster a hash tag such as `{detector}:`. Default: empty with the default `lockName` of the
   * election, else `<lockName>:`.
   */
  readonly keyPrefix?: string;
  /**
   * The workers to connect to, or a function that reads them, so that they can change at run time: one that is added is
   * connected to, one that is left out is drained and then let go. Default none.
   */
  readonly workers?: readonly WorkerOption[] | WorkerReader;
  /** A Prisma client whose schema has displays, cameras, playlists and models: the source of the desired state. */
  readonly prisma?: PrismaDesiredClient;
  /**
   * The trigger of the Prisma client, on the same Redis and with the same `keyPrefix`: it then uses the module's connection
   * instead of its own, and the module provides it as `SubscriptionTrigger`. The module does not close it. Default: the
   * module makes one.
   */
  readonly trigger?: SubscriptionTrigger;
  /** Another source of the desired state; excludes `prisma`. */
  readonly desiredState?: DesiredStateSource;
  /** Makes the URL from which workers download a model. Needed with `prisma` or `desiredState`. */
  readonly modelUrl?: ModelUrlProvider;
  /** Runs a new version of a model's file on some of its cameras first. The same in every process. Default: on all at once. */
  readonly canary?: CanaryOptions;
  /**
   * What the planner should know of each subscription: its cost, priority, the labels its worker must carry, whether the
   * camera allows one stream only. The same in every process. Default: cost 1, priority 0, any worker.
   */
  readonly placement?: PlacementHintsOf;
  /**
   * When cameras may move to balance the load; what must move, and what `rebalanceWorkers` and drains move, moves at any time. The same in every
   * process. Default: at any time.
   */
  readonly rebalanceWindows?: readonly RebalanceWindow[];
  /** Listens to PostgreSQL for changes that no Prisma extension sees. Needs `pg` and `installChangeFeed`. Default none. */
  readonly changeFeed?: ChangeFeedOptions;
  /**
   * Encrypts the URLs of `subscribeToCamera` in Redis: at least 32 characters, e.g. of `openssl rand -base64 32`, the same
   * in every process. Several: the first encrypts, all decrypt, so that it can be changed. Default none: then a request of
   * `subscribeToCamera` whose URLs may hold credentials or a signature ends with the process that made it.
   */
  readonly secret?: string | readonly string[];
  /**
   * Networks (`10.0.0.0/8`), addresses and host names (`nvr.example.com`, `*.cameras.example.com`) in which cameras, their snapshots
   * and workers may be; the same in every process. Names of workers are resolved, names of cameras must be listed. Default: all
   * addresses except link-local, multicast and reserved ones and those of metadata services of clouds.
   */
  readonly networks?: readonly string[];
  /** How much the master takes from one worker, so that none can take up the memory and the time of all. */
  readonly workerLimits?: Partial<WorkerLimits>;
  readonly timings?: Partial<DetectorClusterTimings>;
}

/** The options of `DetectorClusterModule` that concern delivery; the same in every process. */
interface DeliveryOptions {
  /**
   * What happens when a partition is full: it holds at most 10,000 unfinished detections or 4 MiB. `drop-oldest` drops its oldest
   * detections, although they had been accepted: pictures of now matter more than those of a minute ago. `refuse-new` accepts no
   * new ones, and never drops what was accepted; then the newest detections are lost. Both are counted. Default `drop-oldest`.
   */
  readonly overflow?: 'drop-oldest' | 'refuse-new';
  /**
   * Into how many partitions subscriptions are divided: at most so many processes can share the work. More partitions spread it
   * more evenly; on a Redis Cluster each costs calls and a connection of its own. From 1 to 1,024. The first master stores the
   * number; another value takes effect when all partitions are empty. Default 32.
   */
  readonly partitions?: number;
  /**
   * Accepts a detection only when `replicas` replicas of Redis have it (`WAIT`), so that a failover of Redis loses nothing that was
   * accepted. With `fsync`, only when Redis, and these replicas, have it on disk (`WAITAOF`: Redis 7.2 or newer with `appendonly yes`), so that
   * a crash of the machine loses nothing either. Each batch waits for that, up to `timeout` ms before it is tried again; until
   * then nothing is accepted and detections wait in the master's buffer. Default none: Redis replicates and syncs later.
   */
  readonly acceptance?: Acceptance;
}

const MAX_PARTITIONS = 1_024;
const MAX_TIMEOUT = 10_000;

/** Adds each problem to `problems`, with the name of its option. */
export function resolveDeliveryOptions(raw: DeliveryOptions, problems: string[]): Partial<RouterOptions> {
  const { acceptance, overflow = 'drop-oldest', partitions = 32 } = raw;
  if (overflow !== 'drop-oldest' && overflow !== 'refuse-new')
    problems.push(`overflow: must be "drop-oldest" or "refuse-new", got ${JSON.stringify(overflow)}`);
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > MAX_PARTITIONS)
    problems.push(
      `partitions: must be a whole number from 1 to ${MAX_PARTITIONS}, got ${String(partitions)}`,
    );
  if (acceptance !== undefined) problems.push(...acceptanceProblems(acceptance));
  return {
    overflow,
    partitions,
    acceptance: acceptance ?? null,
    // A batch may wait for a second until Redis syncs its file.
    ...(acceptance?.fsync === true && { callEntries: 4_096, callBytes: 4 * 1024 * 1024 }),
  };
}

function acceptanceProblems(given: unknown): string[] {
  const {
    fsync = false,
    replicas = 0,
    timeout,
  } = (given ?? {}) as Partial<Record<keyof Acceptance, unknown>>;
  const problems: string[] = [];
  if (typeof fsync !== 'boolean')
    problems.push(`acceptance.fsync: must be true or false, got ${String(fsync)}`);
  const least = fsync === true ? 0 : 1;
  if (!Number.isInteger(replicas) || (replicas as number) < least)
    problems.push(`acceptance.replicas: must be a whole number from ${least} on, got ${String(replicas)}`);
  if (!Number.isInteger(timeout) || (timeout as number) < 1 || (timeout as number) > MAX_TIMEOUT)
    problems.push(
      `acceptance.timeout: must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT}, got ${String(timeout)}`,
    );
  return problems;
}

/** Injection token of the resolved options. */
export const CLUSTER_OPTIONS = Symbol('DETECTOR_CLUSTER_OPTIONS');

/** Injection token of the election that a cluster belongs to. */
export const CLUSTER_ELECTION = Symbol('DETECTOR_CLUSTER_ELECTION');
