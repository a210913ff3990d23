import { Module } from '@nestjs/common';
import { LeaderWorkModule } from '../../leader-work/leader-work.module.js';
import { ConfigurableModuleClass } from './master-election-feature.module-definition.js';

/** An election in addition to that of `forRoot`. Applications set it up with `MasterElectionModule.forFeature`. */
@Module({ imports: [LeaderWorkModule], exports: [LeaderWorkModule] })
export class MasterElectionFeatureModule extends ConfigurableModuleClass {}
