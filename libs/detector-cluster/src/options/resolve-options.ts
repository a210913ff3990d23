import { slotProblem, slotSource, type DirectRedisSource } from '@detector-cluster/election/redis';
import { WorkerCredentials, withoutUserInfo } from '../connection/worker-credentials.js';
import type { DesiredStateSource } from '../desired/desired-state-source.js';
import { PrismaDesiredSource } from '../desired/prisma-desired-source.js';
import type { ModelUrlProvider } from '../desired/stream/model-url-provider.js';
import { SecretBox } from '../desired/secrets/secret-box.js';
import { redactUrl } from '../desired/stream/redact-url.js';
import type { ChangeFeedOptions } from '../trigger/change-feed/change-feed-options.js';
import { changeFeedProblems } from '../trigger/change-feed/change-feed-problems.js';
import type {
  DetectorClusterOptions,
  DetectorClusterTimings,
  WorkerOption,
} from './detector-cluster-options.js';
import { InvalidDetectorClusterOptionsError } from './invalid-options-error.js';
import { workerCredentialProblems } from './worker-credential-problems.js';
import type { WorkerDefinition } from './worker-definition.js';

export interface ResolvedDetectorClusterOptions {
  readonly redis: DirectRedisSource;
  readonly keyPrefix: string;
  readonly workers: readonly WorkerDefinition[];
  readonly source: DesiredStateSource | null;
  readonly modelUrls: ModelUrlProvider;
  readonly changeFeed: ChangeFeedOptions | null;
  readonly delivery: 'streams' | 'pubsub';
  /** Null without the option `secret`. */
  readonly secretBox: SecretBox | null;
  readonly timings: DetectorClusterTimings;
}

const DEFAULT_CAPACITY = 100;

const MIN_SECRET_LENGTH = 32;

const defaultTimings: DetectorClusterTimings = {
  workerSilence: 10_000,
  workerEviction: 15_000,
  adoptionPatience: 5_000,
  resyncInterval: 30_000,
};

const noModelUrls: ModelUrlProvider = {
  urlFor: ({ modelName }) =>
    Promise.reject(
      new Error(
        `model ${modelName} has no URL: give the option modelUrl, or a modelUrl to subscribeToCamera`,
      ),
    ),
};

/** All defaults and all checks. Pure; throws {@link InvalidDetectorClusterOptionsError} with every problem at once. */
export function resolveOptions(raw: DetectorClusterOptions): ResolvedDetectorClusterOptions {
  const problems: string[] = [];
  const redis: unknown = raw.redis;
  if (redis === undefined || redis === null || redis === '')
    problems.push('redis: is required (URL, ioredis options, instance or cluster)');
  else if (typeof redis === 'string' && !/^rediss?:\/\/./.test(redis))
    problems.push(`redis: must be a redis:// or rediss:// URL, got ${JSON.stringify(redactUrl(redis))}`);
  const { keyPrefix = '' } = raw;
  if (typeof keyPrefix !== 'string') problems.push('keyPrefix: must be a string');
  else if (typeof redis === 'object' && redis !== null) {
    const problem = slotProblem(raw.redis, 'keyPrefix', keyPrefix);
    if (problem !== undefined) problems.push(problem);
  }
  if (raw.prisma !== undefined && raw.desiredState !== undefined)
    problems.push('desiredState: cannot be combined with prisma; give one source of the desired state');
  const hasSource = raw.prisma !== undefined || raw.desiredState !== undefined;
  if (hasSource && raw.modelUrl === undefined)
    problems.push(
      'modelUrl: is required with prisma or desiredState, e.g. new StaticModelUrlProvider("https://models.example.com")',
    );
  if (raw.prisma !== undefined && typeof raw.prisma.display?.findMany !== 'function')
    problems.push('prisma: must be a Prisma client with a model Display');

  if (raw.changeFeed !== undefined) problems.push(...changeFeedProblems(raw.changeFeed));
  const { delivery = 'streams' } = raw;
  if (delivery !== 'streams' && delivery !== 'pubsub')
    problems.push(`delivery: must be "streams" or "pubsub", got ${JSON.stringify(delivery)}`);
  const workers = resolveWorkers(raw.workers ?? [], problems);
  const secretBox = resolveSecret(raw.secret, problems);
  const timings = resolveTimings(raw.timings ?? {}, problems);
  if (problems.length > 0) throw new InvalidDetectorClusterOptionsError(problems);
  return {
    redis: slotSource(raw.redis, 'keyPrefix', keyPrefix),
    keyPrefix,
    workers,
    source: raw.desiredState ?? (raw.prisma === undefined ? null : new PrismaDesiredSource(raw.prisma)),
    modelUrls: raw.modelUrl ?? noModelUrls,
    changeFeed: raw.changeFeed ?? null,
    delivery,
    secretBox,
    timings,
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

function resolveWorkers(raw: readonly WorkerOption[], problems: string[]): WorkerDefinition[] {
  if (!Array.isArray(raw)) {
    problems.push('workers: must be an array of ws:// or wss:// URLs');
    return [];
  }
  const workers: WorkerDefinition[] = [];
  for (const [i, option] of raw.entries()) {
    const { url, capacity = DEFAULT_CAPACITY, labels, token, tls } = detailsOf(option);
    const problem = workerUrlProblem(url);
    if (problem !== null) {
      problems.push(`workers[${i}]: ${problem}`);
      continue;
    }
    const id = redactUrl(url.replace(/\/+$/, ''));
    if (workers.some((other) => other.id === id)) problems.push(`workers[${i}]: ${id} is listed twice`);
    if (!Number.isFinite(capacity) || capacity <= 0)
      problems.push(`workers[${i}].capacity: must be a number above 0, got ${capacity}`);
    const wrong = workerCredentialProblems(url, token, tls);
    problems.push(...wrong.map((text) => `workers[${i}].${text}`));
    if (wrong.length > 0) continue;
    workers.push({
      id,
      url: withoutUserInfo(url),
      credentials: WorkerCredentials.of(url, token, tls),
      capacity,
      ...(labels && { labels }),
    });
  }
  return workers;
}

function detailsOf(option: WorkerOption): Exclude<WorkerOption, string> {
  return typeof option === 'string' ? { url: option } : option;
}

function workerUrlProblem(url: unknown): string | null {
  if (typeof url !== 'string') return 'must be a URL';
  if (!URL.canParse(url))
    return `${JSON.stringify(redactUrl(url))} is not a URL; expected e.g. ws://worker1:8000`;
  const { protocol, hash } = new URL(url);
  if (protocol !== 'ws:' && protocol !== 'wss:')
    return `${JSON.stringify(redactUrl(url))} must begin with ws:// or wss://`;
  if (hash !== '') return `${JSON.stringify(redactUrl(url))} must not have a fragment`;
  return null;
}

function resolveTimings(raw: Partial<DetectorClusterTimings>, problems: string[]): DetectorClusterTimings {
  for (const [name, value] of Object.entries(raw)) {
    if (!(name in defaultTimings)) problems.push(`timings.${name}: is not an option`);
    else if (!Number.isFinite(value) || value <= 0)
      problems.push(`timings.${name}: must be a number of milliseconds above 0, got ${String(value)}`);
  }
  const timings = { ...defaultTimings, ...raw };
  if (timings.workerSilence < 4_000 && raw.workerSilence !== undefined && raw.workerSilence > 0)
    problems.push(
      `timings.workerSilence: must be at least 4000, two state reports, got ${timings.workerSilence}`,
    );
  return timings;
}
