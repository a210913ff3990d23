import type { InjectionToken } from '@nestjs/common';
import { MasterElection } from '../master-election.js';
import { DEFAULT_ELECTION_NAME } from './default-election-name.js';

/**
 * Injection token of an election: the class `MasterElection` for the one of `forRoot`, a string for one that
 * `forFeature` set up under this name. For `useFactory`, `overrideProvider` and `ModuleRef`.
 */
export function getMasterElectionToken(name: string = DEFAULT_ELECTION_NAME): InjectionToken<MasterElection> {
  return name === DEFAULT_ELECTION_NAME ? MasterElection : `MasterElection:${name}`;
}
