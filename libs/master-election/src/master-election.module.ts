import { Module } from '@nestjs/common';
import { MasterElection } from './master-election.js';
import { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } from './master-election.module-definition.js';
import { RESOLVED_MASTER_ELECTION_OPTIONS } from './master-election.tokens.js';
import type { MasterElectionOptions } from './options/master-election-options.js';
import { resolveOptions } from './options/resolve-options.js';

/**
 * Provides {@link MasterElection}. `forRoot(options)` or `forRootAsync({ useFactory | useClass | useExisting, inject,
 * imports })`, both with `isGlobal` (default false). Wrong options end the start of the application with an
 * `InvalidOptionsError` before anything is connected.
 */
@Module({
  providers: [
    {
      provide: RESOLVED_MASTER_ELECTION_OPTIONS,
      useFactory: (options: MasterElectionOptions) => resolveOptions(options),
      inject: [MODULE_OPTIONS_TOKEN],
    },
    MasterElection,
  ],
  exports: [MasterElection],
})
export class MasterElectionModule extends ConfigurableModuleClass {}
