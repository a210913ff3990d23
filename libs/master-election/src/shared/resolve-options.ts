import { MAX_TIMER, unknownOptions } from '@detector-cluster/election/internal';
import { randomUUID } from 'node:crypto';
import { resolveElectionTimes, sourceProblem, slotSource } from '@detector-cluster/election/internal/redis';
import type { ProcessCapabilities } from './process-info.js';
import type { MasterElectionOptions, ResolvedMasterElectionOptions } from './master-election-options.js';

/** Name of the election that `forRoot` sets up, in metrics, events and messages. */
export const DEFAULT_ELECTION_NAME = 'default';

/** Default prefix of all keys. */
export const DEFAULT_LOCK_NAME = 'master-election';

/** The options of an election are invalid. Lists all problems, one sentence each, by option name. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  readonly code = 'INVALID_OPTIONS';

  constructor(
    readonly problems: readonly string[],
    readonly election: string = DEFAULT_ELECTION_NAME,
  ) {
    const what = election === DEFAULT_ELECTION_NAME ? 'MasterElectionModule' : `the election '${election}'`;
    super(`invalid options of ${what}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Problem of a value that must be an object that JSON can represent; `undefined` when it is one. */
export function findJsonProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  try {
    JSON.stringify(value);
    return undefined;
  } catch (error) {
    return `cannot be written as JSON: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
  }
}

const FORBIDDEN = /[;\p{Cc}]/u;

/** Problem of a name that becomes part of keys, channels and messages; `undefined` when the name is valid. */
export function findNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string' || name === '') return 'must be a string that is not empty';
  if (name.length > 256) return 'must not be longer than 256 characters';
  return FORBIDDEN.test(name) ? "must not contain ';' or control characters" : undefined;
}

const KNOWN: Readonly<Record<keyof MasterElectionOptions, true>> = {
  redis: true,
  lockName: true,
  timing: true,
  lockTtl: true,
  heartbeatInterval: true,
  checkInterval: true,
  crashDetection: true,
  presenceLook: true,
  presenceGrace: true,
  presenceValidity: true,
  confirmInterval: true,
  handoverTimeout: true,
  identifier: true,
  nodeId: true,
  metadata: true,
  capabilities: true,
  backend: true,
};

const CAPABILITIES: ProcessCapabilities = {
  canProcessDetections: true,
  maxSubscriptions: 100,
  preferredWorkload: 80,
};

/**
 * Problems of the capabilities of a process, one sentence each.
 * @param complete the same with the defaults for what may be left out
 */
export function findCapabilityProblems(given: unknown, complete: unknown = given): string[] {
  const problems = unknownOptions(given, Object.keys(CAPABILITIES), { path: 'capabilities.' });
  const { canProcessDetections, maxSubscriptions, preferredWorkload } = (complete ??
    {}) as Partial<ProcessCapabilities>;
  if (typeof canProcessDetections !== 'boolean')
    problems.push('capabilities.canProcessDetections must be true or false');
  if (!Number.isInteger(maxSubscriptions) || maxSubscriptions! < 0)
    problems.push('capabilities.maxSubscriptions must be a whole number from 0 on');
  if (!(typeof preferredWorkload === 'number' && preferredWorkload >= 0 && preferredWorkload <= 100))
    problems.push('capabilities.preferredWorkload must be a number from 0 to 100');
  return problems;
}

/**
 * Fills in the defaults and checks everything, each option by itself and in relation to the others.
 * @throws InvalidOptionsError with all problems at once.
 */
export function resolveOptions(
  raw: MasterElectionOptions,
  uuid: () => string = randomUUID,
  name: string = DEFAULT_ELECTION_NAME,
): ResolvedMasterElectionOptions {
  if (typeof raw !== 'object' || raw === null)
    throw new InvalidOptionsError(['options must be an object'], name);
  const problems = unknownOptions(raw, Object.keys(KNOWN));

  const { redis, backend, lockName = DEFAULT_LOCK_NAME } = raw;
  if (!(typeof redis === 'string' ? redis !== '' : typeof redis === 'object' && redis !== null))
    problems.push('redis must be a URL, ioredis options, an ioredis instance or the nodes of a cluster');
  if (backend !== undefined && typeof backend?.campaign !== 'function')
    problems.push('backend must be an ElectionBackend');
  if (typeof lockName !== 'string' || lockName === '')
    problems.push('lockName must be a string that is not empty');
  else if (redis) {
    const problem = sourceProblem(redis, 'lockName', lockName);
    if (problem) problems.push(problem);
  }

  const { times, problems: timeProblems } = resolveElectionTimes(raw);
  problems.push(...timeProblems);

  const { identifier = 'cms-backend', nodeId } = raw;
  for (const [option, value] of Object.entries({ identifier, ...(nodeId !== undefined && { nodeId }) })) {
    const problem = findNameProblem(value);
    if (problem) problems.push(`${option} ${problem}`);
  }

  const { handoverTimeout = 5_000 } = raw;
  if (!Number.isInteger(handoverTimeout) || handoverTimeout < 0 || handoverTimeout > MAX_TIMER)
    problems.push(
      `handoverTimeout must be a whole number of milliseconds from 0 to ${MAX_TIMER}, not ${String(handoverTimeout)}`,
    );

  const metadata = raw.metadata ?? {};
  const metadataProblem = findJsonProblem(metadata);
  if (metadataProblem) problems.push(`metadata ${metadataProblem}`);

  const capabilities = { ...CAPABILITIES, ...raw.capabilities };
  problems.push(...findCapabilityProblems(raw.capabilities, capabilities));

  if (problems.length > 0) throw new InvalidOptionsError(problems, name);
  const bootId = uuid();
  return {
    name,
    redis: slotSource(redis, 'lockName', lockName),
    backend,
    lockName,
    ...times,
    handoverTimeout,
    identifier,
    nodeId: nodeId ?? `${identifier}:${bootId}`,
    namedNode: nodeId !== undefined,
    bootId,
    metadata,
    capabilities,
  };
}
