import { randomUUID } from 'node:crypto';
import { resolveElectionTimes, sourceProblem, slotSource } from '@detector-cluster/election/redis';
import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';
import { DEFAULT_LOCK_NAME } from './default-lock-name.js';
import { InvalidOptionsError } from './invalid-options.error.js';
import { findJsonProblem } from './find-json-problem.js';
import type { MasterElectionOptions, ResolvedMasterElectionOptions } from './master-election-options.js';
import { findNameProblem } from './find-name-problem.js';

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

/** The longest delay of a timer in Node. Milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

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
  const problems: string[] = [];
  for (const option of Object.keys(raw))
    if (!Object.hasOwn(KNOWN, option)) problems.push(`${option} is not an option`);

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
  if (!Number.isInteger(handoverTimeout) || handoverTimeout < 0 || handoverTimeout > MAX_TIMEOUT)
    problems.push(
      `handoverTimeout must be a whole number of milliseconds from 0 to ${MAX_TIMEOUT}, not ${String(handoverTimeout)}`,
    );

  const metadata = raw.metadata ?? {};
  const metadataProblem = findJsonProblem(metadata);
  if (metadataProblem) problems.push(`metadata ${metadataProblem}`);

  const capabilities = {
    canProcessDetections: true,
    maxSubscriptions: 100,
    preferredWorkload: 80,
    ...raw.capabilities,
  };
  const { canProcessDetections, maxSubscriptions, preferredWorkload } = capabilities;
  if (typeof canProcessDetections !== 'boolean')
    problems.push('capabilities.canProcessDetections must be true or false');
  if (!Number.isInteger(maxSubscriptions) || maxSubscriptions < 0)
    problems.push('capabilities.maxSubscriptions must be a whole number from 0 on');
  if (!(typeof preferredWorkload === 'number' && preferredWorkload >= 0 && preferredWorkload <= 100))
    problems.push('capabilities.preferredWorkload must be a number from 0 to 100');

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
