import { type DynamicModule, Module } from '@nestjs/common';
import { LeaderWorkModule } from '../leader-work/leader-work.module.js';
import { getMasterElectionToken } from '../election/get-master-election-token.js';
import { FakeMasterElection, type FakeMasterElectionOptions } from './fake-master-election.js';

/** Replaces `MasterElectionModule` in unit tests; provides a {@link FakeMasterElection} as the election. */
@Module({})
export class MasterElectionTestingModule {
  /** @param options With a `name` this replaces `forFeature`; without, `forRoot`. */
  static register({
    isGlobal = false,
    ...options
  }: FakeMasterElectionOptions & { readonly isGlobal?: boolean } = {}): DynamicModule {
    const token = getMasterElectionToken(options.name);
    return {
      module: MasterElectionTestingModule,
      global: isGlobal,
      imports: [LeaderWorkModule],
      providers: [
        { provide: FakeMasterElection, useFactory: () => new FakeMasterElection(options) },
        { provide: token, useExisting: FakeMasterElection },
      ],
      exports: [FakeMasterElection, token, LeaderWorkModule],
    };
  }
}
