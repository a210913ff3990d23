import { ConfigurableModuleBuilder } from '@nestjs/common';
import { MASTER_ELECTION_OPTIONS } from '../../master-election.tokens.js';
import type { MasterElectionOptions } from '../../options/master-election-options.js';
import { featureProviders } from './feature-providers.js';
import { getMasterElectionOptionsToken, getMasterElectionToken } from '../get-master-election-token.js';

export const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<Partial<MasterElectionOptions>>({
  optionsInjectionToken: MASTER_ELECTION_OPTIONS,
})
  .setClassMethodName('forFeature')
  .setFactoryMethodName('createMasterElectionOptions')
  .setExtras({ name: '', isGlobal: false }, (definition, { name, isGlobal }) => ({
    ...definition,
    global: isGlobal,
    providers: [...(definition.providers ?? []), ...featureProviders(name)],
    exports: [getMasterElectionToken(name), getMasterElectionOptionsToken(name)],
  }))
  .build();
