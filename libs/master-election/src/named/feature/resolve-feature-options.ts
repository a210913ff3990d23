import { DEFAULT_LOCK_NAME } from '../../options/default-lock-name.js';
import { findNameProblem } from '../../options/find-name-problem.js';
import { InvalidOptionsError } from '../../options/invalid-options.error.js';
import type {
  MasterElectionOptions,
  ResolvedMasterElectionOptions,
} from '../../options/master-election-options.js';
import { resolveOptions } from '../../options/resolve-options.js';
import { DEFAULT_ELECTION_NAME } from '../default-election-name.js';

type Options = Partial<MasterElectionOptions>;

/**
 * The options of an election of `forFeature`: those given, and inherited ones for the rest.
 * @param inherited The options of `forRoot`, if there is one.
 * @throws InvalidOptionsError with all problems at once.
 */
export function resolveFeatureOptions(
  name: string,
  raw: Options,
  inherited?: MasterElectionOptions,
): ResolvedMasterElectionOptions {
  const problems = nameProblems(name);
  try {
    const options = typeof raw === 'object' && raw !== null ? withInherited(name, raw, inherited) : raw;
    const resolved = resolveOptions(options as MasterElectionOptions, undefined, name);
    if (problems.length === 0) return resolved;
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    problems.push(...error.problems);
  }
  throw new InvalidOptionsError(problems, name);
}

function nameProblems(name: string): string[] {
  if (name === DEFAULT_ELECTION_NAME) return [`name must not be '${name}', which is the election of forRoot`];
  const problem = findNameProblem(name);
  return problem ? [`name ${problem}`] : [];
}

function withInherited(name: string, raw: Options, inherited: MasterElectionOptions | undefined): Options {
  if (!inherited) return { lockName: name, ...given(raw) };
  return { ...given(inheritable(inherited, raw)), lockName: lockNameBelow(inherited, name), ...given(raw) };
}

/** A backend serves one election only. Single durations adjust a timing, so another timing drops them. */
function inheritable(inherited: MasterElectionOptions, raw: Options): Options {
  const { backend: _backend, ...shared } = inherited;
  if (raw.timing === undefined) return shared;
  const { lockTtl: _ttl, heartbeatInterval: _heartbeat, checkInterval: _check, ...untimed } = shared;
  return untimed;
}

/** Keeps the hash tag of a Redis Cluster, and the prefix that separates deployments on a shared server. */
function lockNameBelow({ lockName = DEFAULT_LOCK_NAME }: MasterElectionOptions, name: string): string {
  return `${lockName}:${name}`;
}

function given(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
