import { Inject } from '@nestjs/common';
import { getMasterElectionToken } from './get-master-election-token.js';

/** Injects the `MasterElection` that `forFeature` set up under this name; without a name, that of `forRoot`. */
export function InjectMasterElection(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getMasterElectionToken(name));
}
