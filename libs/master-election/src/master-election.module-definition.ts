import { Module, type DynamicModule, ConfigurableModuleBuilder } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  INHERITED_MASTER_ELECTION_OPTIONS,
  MASTER_ELECTION_OPTIONS,
  RESOLVED_MASTER_ELECTION_OPTIONS,
} from './master-election.tokens.js';
import { claimElection } from './named/master-election-feature.module.js';
import type {
  MasterElectionOptions,
  ResolvedMasterElectionOptions,
} from './options/master-election-options.js';
import { resolveOptions } from './options/resolve-options.js';

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
          useFactory: (options: MasterElectionOptions, application: ModulesContainer) =>
            claimElection(application, resolveOptions(options)),
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
