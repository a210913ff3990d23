import { failTogether } from '@detector-cluster/election/internal';
import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { LeaderWorkModule } from './leader-work/leader-work.module.js';
import { MasterElection } from './election/master-election.js';
import {
  INHERITED_MASTER_ELECTION_OPTIONS,
  MASTER_ELECTION_OPTIONS,
  RESOLVED_MASTER_ELECTION_OPTIONS,
} from './shared/master-election.tokens.js';
import { claimElection, MasterElectionFeatureModule } from './leader-work/master-election-feature.module.js';
import type {
  MasterElectionFeatureAsyncOptions,
  MasterElectionFeatureOptions,
} from './leader-work/resolve-feature-options.js';
import type {
  MasterElectionOptions,
  ResolvedMasterElectionOptions,
} from './shared/master-election-options.js';
import { resolveOptions } from './shared/resolve-options.js';

/**
 * The options of `forRoot`, computed and checked once. A separate module that is always global, so that other elections of the
 * application can inherit them even if the election of `forRoot` is not global.
 */
@Module({})
class MasterElectionOptionsModule {
  /** @param source Provides {@link MASTER_ELECTION_OPTIONS}. */
  static from(source: Pick<DynamicModule, 'imports' | 'providers'>): DynamicModule {
    return {
      module: MasterElectionOptionsModule,
      global: true,
      imports: source.imports,
      providers: [
        ...(source.providers ?? []),
        {
          provide: RESOLVED_MASTER_ELECTION_OPTIONS,
          useFactory: async (options: MasterElectionOptions, application: ModulesContainer) => {
            try {
              return claimElection(application, resolveOptions(options));
            } catch (error) {
              return failTogether(application, error as Error);
            }
          },
          inject: [MASTER_ELECTION_OPTIONS, ModulesContainer],
        },
        {
          provide: INHERITED_MASTER_ELECTION_OPTIONS,
          useFactory: (options: MasterElectionOptions, _checked: ResolvedMasterElectionOptions) => options,
          inject: [MASTER_ELECTION_OPTIONS, RESOLVED_MASTER_ELECTION_OPTIONS],
        },
      ],
      exports: [MASTER_ELECTION_OPTIONS, RESOLVED_MASTER_ELECTION_OPTIONS, INHERITED_MASTER_ELECTION_OPTIONS],
    };
  }
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<MasterElectionOptions>({
  optionsInjectionToken: MASTER_ELECTION_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createMasterElectionOptions')
  .setExtras({ isGlobal: false }, ({ module, imports, providers }, { isGlobal }) => ({
    module,
    global: isGlobal,
    imports: [MasterElectionOptionsModule.from({ imports, providers })],
  }))
  .build();

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
