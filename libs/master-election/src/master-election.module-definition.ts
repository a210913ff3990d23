import { ConfigurableModuleBuilder } from '@nestjs/common';
import { MasterElectionOptionsModule } from './master-election-options.module.js';
import { MASTER_ELECTION_OPTIONS } from './master-election.tokens.js';
import type { MasterElectionOptions } from './options/master-election-options.js';

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<MasterElectionOptions>({ optionsInjectionToken: MASTER_ELECTION_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMasterElectionOptions')
    .setExtras({ isGlobal: false }, ({ module, imports, providers }, { isGlobal }) => ({
      module,
      global: isGlobal,
      imports: [MasterElectionOptionsModule.from({ imports, providers })],
    }))
    .build();
