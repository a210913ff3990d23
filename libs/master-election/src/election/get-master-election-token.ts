import { Inject, type InjectionToken } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { MasterElection } from './master-election.js';
import { RESOLVED_MASTER_ELECTION_OPTIONS } from '../shared/master-election.tokens.js';
import type { ResolvedMasterElectionOptions } from '../shared/master-election-options.js';
import { DEFAULT_ELECTION_NAME } from '../shared/resolve-options.js';

/**
 * Injection token of an election, for `useFactory`, `overrideProvider` and `ModuleRef`: the class `MasterElection` for the election of
 * `forRoot`, a symbol for an election of `forFeature`.
 */
export function getMasterElectionToken(name: string = DEFAULT_ELECTION_NAME): InjectionToken<MasterElection> {
  return name === DEFAULT_ELECTION_NAME ? MasterElection : Symbol.for(`MasterElection:${name}`);
}

/** Injection token of the options of an election with all defaults, `ResolvedMasterElectionOptions`. */
export function getMasterElectionOptionsToken(
  name: string = DEFAULT_ELECTION_NAME,
): InjectionToken<ResolvedMasterElectionOptions> {
  return name === DEFAULT_ELECTION_NAME
    ? RESOLVED_MASTER_ELECTION_OPTIONS
    : Symbol.for(`MasterElectionOptions:${name}`);
}

/** Injects the `MasterElection` that `forFeature` set up under this name; without a name, that of `forRoot`. */
export function InjectMasterElection(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getMasterElectionToken(name));
}

/** The election of this name in any module of the application; without a name, that of `forRoot`. */
export function findElection(moduleRef: ModuleRef, name: string | undefined): MasterElection | undefined {
  try {
    return moduleRef.get<MasterElection>(getMasterElectionToken(name), { strict: false });
  } catch {
    return undefined;
  }
}

/** Why {@link findElection} found none, and what to do. */
export function noElection(name: string | undefined): string {
  return name === undefined
    ? 'the application has no election; import MasterElectionModule.forRoot'
    : `the application has no election '${name}'; import MasterElectionModule.forFeature({ name: '${name}' })`;
}
