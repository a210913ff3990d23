import type { ConfigurableModuleAsyncOptions } from '@nestjs/common';
import type { MasterElectionOptions } from '../../options/master-election-options.js';
import type { MasterElectionFeatureIdentity } from './master-election-feature-options.js';

/** Options of `MasterElectionModule.forFeatureAsync`. */
export type MasterElectionFeatureAsyncOptions = MasterElectionFeatureIdentity &
  ConfigurableModuleAsyncOptions<Partial<MasterElectionOptions>, 'createMasterElectionOptions'>;
