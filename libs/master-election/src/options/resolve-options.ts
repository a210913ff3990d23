import { randomUUID } from 'node:crypto';
import { ELECTION_TIMINGS, electionTimingProblems } from '@detector-cluster/election/redis';
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
  identifier: true,
  nodeId: true,
  metadata: true,
  capabilities: true,
  backend: true,
};

/**
 * Fills in the defaults and checks everything, each option by itself and in relation to the others.
 * @throws InvalidOptionsError with all problems at once.
 */
export function resolveOptions(
  raw: MasterElectionOptions,
  uuid: () => string = randomUUID,
): ResolvedMasterElectionOptions {
  if (typeof raw !== 'object' || raw === null) throw new InvalidOptionsError(['options must be an object']);
  const problems: string[] = [];
  for (const name of Object.keys(raw))
    if (!Object.hasOwn(KNOWN, name)) problems.push(`${name} is not an option`);

  const { redis, backend, timing = 'default', lockName = 'master-election' } = raw;
  if (!(typeof redis === 'string' ? redis !== '' : typeof redis === 'object' && redis !== null))
    problems.push('redis must be a URL, ioredis options or an ioredis instance');
  if (backend !== undefined && typeof backend?.campaign !== 'function')
    problems.push('backend must be an ElectionBackend');
  if (typeof lockName !== 'string' || lockName === '')
    problems.push('lockName must be a string that is not empty');

  const defaults = Object.hasOwn(ELECTION_TIMINGS, timing) ? ELECTION_TIMINGS[timing] : undefined;
  if (!defaults) problems.push(`timing must be 'default' or 'fast', not ${JSON.stringify(timing)}`);
  const durations = {
    lockTtl: raw.lockTtl ?? (defaults ?? ELECTION_TIMINGS.default).lockTtl,
    heartbeatInterval: raw.heartbeatInterval ?? (defaults ?? ELECTION_TIMINGS.default).heartbeatInterval,
    checkInterval: raw.checkInterval ?? (defaults ?? ELECTION_TIMINGS.default).checkInterval,
  };
  problems.push(...electionTimingProblems(durations));

  const { identifier = 'cms-backend', nodeId } = raw;
  for (const [name, value] of Object.entries({ identifier, ...(nodeId !== undefined && { nodeId }) })) {
    const problem = findNameProblem(value);
    if (problem) problems.push(`${name} ${problem}`);
  }

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

  if (problems.length > 0) throw new InvalidOptionsError(problems);
  const bootId = uuid();
  return {
    redis,
    backend,
    lockName,
    ...durations,
    identifier,
    nodeId: nodeId ?? `${identifier}:${bootId}`,
    namedNode: nodeId !== undefined,
    bootId,
    metadata,
    capabilities,
  };
}
