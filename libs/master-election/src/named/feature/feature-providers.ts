import type { Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { MasterElection } from '../../master-election.js';
import {
  INHERITED_MASTER_ELECTION_OPTIONS,
  MASTER_ELECTION_OPTIONS,
  RESOLVED_MASTER_ELECTION_OPTIONS,
} from '../../master-election.tokens.js';
import type {
  MasterElectionOptions,
  ResolvedMasterElectionOptions,
} from '../../options/master-election-options.js';
import { claimElection } from '../claim-election.js';
import { getMasterElectionOptionsToken, getMasterElectionToken } from '../get-master-election-token.js';
import { resolveFeatureOptions } from './resolve-feature-options.js';

/** Providers of the election of this name and of its options, given or inherited. */
export function featureProviders(name: string): Provider[] {
  return [
    {
      provide: RESOLVED_MASTER_ELECTION_OPTIONS,
      useFactory: (
        options: Partial<MasterElectionOptions>,
        application: ModulesContainer,
        inherited: MasterElectionOptions | undefined,
      ) => claimElection(application, resolveFeatureOptions(name, options, inherited)),
      inject: [
        MASTER_ELECTION_OPTIONS,
        ModulesContainer,
        { token: INHERITED_MASTER_ELECTION_OPTIONS, optional: true },
      ],
    },
    {
      provide: getMasterElectionToken(name),
      useFactory: (options: ResolvedMasterElectionOptions, scheduler: SchedulerRegistry) =>
        new MasterElection(options, scheduler),
      inject: [RESOLVED_MASTER_ELECTION_OPTIONS, SchedulerRegistry],
    },
    { provide: getMasterElectionOptionsToken(name), useExisting: RESOLVED_MASTER_ELECTION_OPTIONS },
  ];
}
