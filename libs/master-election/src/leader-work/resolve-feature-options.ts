import type { ConfigurableModuleAsyncOptions } from '@nestjs/common';
import {
  DEFAULT_LOCK_NAME,
  findNameProblem,
  InvalidOptionsError,
  resolveOptions,
  DEFAULT_ELECTION_NAME,
} from '../shared/resolve-options.js';
import type {
  MasterElectionOptions,
  ResolvedMasterElectionOptions,
} from '../shared/master-election-options.js';

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

/** Name and visibility of an election. */
export interface MasterElectionFeatureIdentity {
  /** Unique within the application; not `default`. No `;` and no control characters. */
  readonly name: string;
  /** Whether other modules can use it without importing it. Default `false`. */
  readonly isGlobal?: boolean;
}

/**
 * Options of `MasterElectionModule.forFeature`. Missing options are inherited from `forRoot`, with these exceptions. `lockName` is
 * `<lockName of forRoot>:<name>`, or the name if there is no `forRoot`. `backend` is not shared. An election with its own `timing`
 * does not inherit single durations.
 */
export type MasterElectionFeatureOptions = MasterElectionFeatureIdentity & Partial<MasterElectionOptions>;

/** Options of `MasterElectionModule.forFeatureAsync`. */
export type MasterElectionFeatureAsyncOptions = MasterElectionFeatureIdentity &
  ConfigurableModuleAsyncOptions<Partial<MasterElectionOptions>, 'createMasterElectionOptions'>;
