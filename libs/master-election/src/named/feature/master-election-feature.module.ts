import { Module } from '@nestjs/common';
import { LeaderWorkModule } from '../../leader-work/leader-work.module.js';
import { ConfigurableModuleClass } from './master-election-feature.module-definition.js';

/** One election beside that of `forRoot`; applications set it up by `MasterElectionModule.forFeature`. */
@Module({ imports: [LeaderWorkModule], exports: [LeaderWorkModule] })
export class MasterElectionFeatureModule extends ConfigurableModuleClass {}
