import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { MasterElectionOptions } from './options/master-election-options.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<MasterElectionOptions>({ moduleName: 'MasterElection' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMasterElectionOptions')
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();
