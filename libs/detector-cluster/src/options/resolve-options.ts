import { isCluster, sourceProblem, slotSource } from '@detector-cluster/election/internal/redis';
import { unknownOptions } from '@detector-cluster/election/internal';
import type { DirectRedisSource, RedisSource } from '@detector-cluster/election/redis';
import { DEFAULT_LOCK_NAME } from '@detector-cluster/master-election';
import type { DesiredStateSource } from '../sources/desired-state-source.js';
import type { PlacementHintsOf } from '@detector-cluster/placement/internal';
import { PrismaDesiredSource } from '../sources/prisma-desired-source.js';
import type { ModelUrlProvider } from '../sources/model-url-provider.js';
import { SecretBox } from '../sources/secret-box.js';
import { resolveCanary, type CanaryOptions } from './canary-options.js';
import { RebalanceWindows } from './rebalance-windows.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import { defaultKeyPrefix } from '../shared/cluster-keys.js';
import { changeFeedProblems, type ChangeFeedOptions } from '../sources/change-feed/change-feed-settings.js';
import type { RouterOptions } from '@detector-cluster/delivery';
import {
  resolveDeliveryOptions,
  type DetectorClusterOptions,
  type DetectorClusterTimings,
} from './detector-cluster-options.js';
import { InvalidDetectorClusterOptionsError } from '../shared/invalid-detector-cluster-options.error.js';
import { SubscriptionTrigger } from '../sources/subscription-trigger.js';
import { resolveWorkers } from '../workers/worker-definition.js';
import { ApplicationCalls } from '../shared/application-calls.js';
import { resolveWorkerLimits, type WorkerLimits } from '../workers/worker-limits.js';
import { WorkerList } from '../workers/worker-list.js';

export interface ResolvedDetectorClusterOptions {
  readonly redis: DirectRedisSource;
  readonly keyPrefix: string;
  readonly workers: WorkerList;
  readonly source: DesiredStateSource | null;
  readonly modelUrls: ModelUrlProvider;
  /** Null without the option `canary`. */
  readonly canary: CanaryOptions | null;
  readonly rebalanceWindows: RebalanceWindows;
  readonly placement: PlacementHintsOf | null;
  readonly changeFeed: ChangeFeedOptions | null;
  /** The whole Redis Cluster, for partitions; null on one server. */
  readonly cluster: RedisSource | null;
  readonly delivery: Partial<RouterOptions>;
  /** Null without the option `trigger`. */
  readonly trigger: SubscriptionTrigger | null;
  /** Null without the option `secret`. */
  readonly secretBox: SecretBox | null;
  readonly networks: NetworkPolicy;
  readonly workerLimits: WorkerLimits;
  readonly timings: DetectorClusterTimings;
  readonly calls: ApplicationCalls;
}

const MIN_SECRET_LENGTH = 32;

const defaultTimings: DetectorClusterTimings = {
  workerSilence: 10_000,
  workerEviction: 15_000,
  adoptionTimeout: 5_000,
  resyncInterval: 30_000,
  callTimeout: 10_000,
  readTimeout: 30_000,
};

const noModelUrls: ModelUrlProvider = {
  urlFor: ({ modelName }) =>
    Promise.reject(
      new Error(
        `model ${modelName} has no URL: give the option modelUrl, or a modelUrl to subscribeToCamera`,
      ),
    ),
};

const KNOWN: Readonly<Record<keyof DetectorClusterOptions, true>> = {
  redis: true,
  keyPrefix: true,
  workers: true,
  prisma: true,
  trigger: true,
  desiredState: true,
  modelUrl: true,
  canary: true,
  placement: true,
  rebalanceWindows: true,
  changeFeed: true,
  secret: true,
  networks: true,
  timings: true,
  overflow: true,
  partitions: true,
  acceptance: true,
  workerLimits: true,
};

/** Models of the client that the desired state is read from. */
const MODELS = ['Display', 'Camera', 'Playlist', 'Model'] as const;

function prismaProblems(client: unknown): string[] {
  const delegates = (client ?? {}) as Record<string, { readonly findMany?: unknown } | undefined>;
  const missing = MODELS.filter((model) => typeof delegates[model.toLowerCase()]?.findMany !== 'function');
  if (missing.length === 0) return [];
  return [
    `prisma: must be a Prisma client with the models ${MODELS.join(', ')}; ${missing.join(', ')} ` +
      `${missing.length === 1 ? 'is' : 'are'} missing; with another schema give a desiredState of your own instead`,
  ];
}

/**
 * All defaults and all checks. Pure; throws {@link InvalidDetectorClusterOptionsError} with every problem at once.
 * @param lockName of the election that the cluster belongs to
 */
export function resolveOptions(
  raw: DetectorClusterOptions,
  lockName: string = DEFAULT_LOCK_NAME,
): ResolvedDetectorClusterOptions {
  if (typeof raw !== 'object' || raw === null)
    throw new InvalidDetectorClusterOptionsError(['options: must be an object']);
  const problems = [
    ...unknownOptions(raw, Object.keys(KNOWN), { separator: ': ' }),
    ...unknownOptions(raw.canary, ['share', 'confirmAfter'], { path: 'canary.', separator: ': ' }),
    ...unknownOptions(raw.acceptance, ['replicas', 'fsync', 'timeout'], {
      path: 'acceptance.',
      separator: ': ',
    }),
  ];
  const { redis } = raw;
  if (!redis) problems.push('redis: is required (URL, ioredis options, instance or cluster)');
  const { keyPrefix = defaultKeyPrefix(lockName) } = raw;
  if (typeof keyPrefix !== 'string') problems.push('keyPrefix: must be a string');
  else if (redis) {
    const problem = sourceProblem(redis, 'keyPrefix', keyPrefix);
    if (problem !== undefined) problems.push(problem);
  }
  if (raw.prisma !== undefined && raw.desiredState !== undefined)
    problems.push('desiredState: cannot be combined with prisma; give one source of the desired state');
  const hasSource = raw.prisma !== undefined || raw.desiredState !== undefined;
  if (hasSource && raw.modelUrl === undefined)
    problems.push(
      'modelUrl: is required with prisma or desiredState, e.g. new StaticModelUrlProvider("https://models.example.com")',
    );
  if (raw.prisma !== undefined) problems.push(...prismaProblems(raw.prisma));
  if (raw.desiredState !== undefined && typeof raw.desiredState?.read !== 'function')
    problems.push('desiredState: must be a DesiredStateSource, with a method read');
  if (raw.modelUrl !== undefined && typeof raw.modelUrl?.urlFor !== 'function')
    problems.push(
      'modelUrl: must be a ModelUrlProvider, e.g. new StaticModelUrlProvider("https://models.example.com")',
    );

  const { trigger = null } = raw;
  if (trigger !== null && !(trigger instanceof SubscriptionTrigger))
    problems.push('trigger: must be a SubscriptionTrigger');
  else if (trigger !== null && trigger.keyPrefix !== keyPrefix)
    problems.push(
      `trigger: has the keyPrefix ${JSON.stringify(trigger.keyPrefix)}, the module has ${JSON.stringify(keyPrefix)}: give both the same`,
    );
  if (raw.changeFeed !== undefined) problems.push(...changeFeedProblems(raw.changeFeed));
  const delivery = resolveDeliveryOptions(raw, problems);
  const networks = NetworkPolicy.of(raw.networks, problems);
  const canary = resolveCanary(raw.canary, problems);
  const rebalanceWindows = RebalanceWindows.of(raw.rebalanceWindows, problems);
  const workerLimits = resolveWorkerLimits(raw.workerLimits, problems);
  const timings = resolveTimings(raw.timings, problems);
  const calls = new ApplicationCalls();
  const { workers: given = [] } = raw;
  const workers =
    typeof given === 'function'
      ? new WorkerList([], () => calls.run('workers', timings.callTimeout, given), networks)
      : new WorkerList(resolveWorkers(given, problems, networks), null, networks);
  if (raw.placement !== undefined && typeof raw.placement !== 'function')
    problems.push('placement: must be a function of a subscription that returns its hints');
  const secretBox = resolveSecret(raw.secret, problems);
  if (problems.length > 0) throw new InvalidDetectorClusterOptionsError(problems);
  return {
    redis: slotSource(raw.redis, 'keyPrefix', keyPrefix),
    cluster: isCluster(raw.redis) ? raw.redis : null,
    keyPrefix,
    workers,
    source: raw.desiredState ?? (raw.prisma === undefined ? null : new PrismaDesiredSource(raw.prisma)),
    modelUrls: raw.modelUrl ?? noModelUrls,
    canary,
    placement: raw.placement ?? null,
    rebalanceWindows,
    changeFeed: raw.changeFeed ?? null,
    trigger,
    delivery,
    secretBox,
    networks,
    workerLimits,
    timings,
    calls,
  };
}

function resolveSecret(raw: DetectorClusterOptions['secret'], problems: string[]): SecretBox | null {
  if (raw === undefined) return null;
  const given: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const secrets = given.filter(
    (secret): secret is string => typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH,
  );
  const [newest, ...older] = secrets;
  if (newest !== undefined && secrets.length === given.length) return new SecretBox([newest, ...older]);
  problems.push(
    `secret: must be a string of at least ${MIN_SECRET_LENGTH} characters, or several of them, e.g. of openssl rand -base64 32`,
  );
  return null;
}

function resolveTimings(
  given: Partial<DetectorClusterTimings> | undefined,
  problems: string[],
): DetectorClusterTimings {
  problems.push(...unknownOptions(given, Object.keys(defaultTimings), { path: 'timings.', separator: ': ' }));
  const raw = given ?? {};
  for (const [name, value] of Object.entries(raw)) {
    if (Object.hasOwn(defaultTimings, name) && !(Number.isFinite(value) && value > 0))
      problems.push(`timings.${name}: must be a number of milliseconds above 0, got ${String(value)}`);
  }
  const timings = { ...defaultTimings, ...raw };
  if (timings.workerSilence < 4_000 && raw.workerSilence !== undefined && raw.workerSilence > 0)
    problems.push(
      `timings.workerSilence: must be at least 4000, two state reports, got ${timings.workerSilence}`,
    );
  return timings;
}
