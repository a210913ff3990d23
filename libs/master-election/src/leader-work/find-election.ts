import type { ModuleRef } from '@nestjs/core';
import type { MasterElection } from '../master-election.js';
import { getMasterElectionToken } from '../named/get-master-election-token.js';

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
