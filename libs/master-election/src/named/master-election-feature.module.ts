import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './master-election-feature.module-definition.js';

/** One election beside that of `forRoot`; applications set it up by `MasterElectionModule.forFeature`. */
@Module({})
export class MasterElectionFeatureModule extends ConfigurableModuleClass {}
