import { Module, type DynamicModule } from '@nestjs/common';
import { LeaderWorkModule } from './leader-work/leader-work.module.js';
import { MasterElection } from './master-election.js';
import { ConfigurableModuleClass } from './master-election.module-definition.js';
import type {
  MasterElectionFeatureAsyncOptions,
  MasterElectionFeatureOptions,
} from './named/resolve-feature-options.js';
import { MasterElectionFeatureModule } from './named/master-election-feature.module.js';

/**
 * Provides {@link MasterElection}. `forRoot(options)` or `forRootAsync({ useFactory | useClass | useExisting, inject,
 * imports })`, both with `isGlobal` (default false). If options are wrong, the application fails to start with an
 * `InvalidOptionsError` before any connection is opened.
 */
@Module({
  imports: [LeaderWorkModule],
  providers: [MasterElection],
  exports: [MasterElection, LeaderWorkModule],
})
export class MasterElectionModule extends ConfigurableModuleClass {
  /**
   * Another election in the same application, with its own master; `@InjectMasterElection(name)` injects it. Options that are
   * not given are inherited from `forRoot`, except `backend`; `lockName` is derived from the name.
   */
  static forFeature(options: MasterElectionFeatureOptions): DynamicModule {
    return MasterElectionFeatureModule.forFeature(options);
  }

  /** The same with options from `useFactory`, `useClass` or `useExisting`. The name is given outside of them. */
  static forFeatureAsync(options: MasterElectionFeatureAsyncOptions): DynamicModule {
    return MasterElectionFeatureModule.forFeatureAsync(options);
  }
}
