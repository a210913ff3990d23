import { ModulesContainer } from '@nestjs/core';
import { type Provider, ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DuplicateElectionError } from '../shared/errors.js';
import type {
  ResolvedMasterElectionOptions,
  MasterElectionOptions,
} from '../shared/master-election-options.js';
import { MasterElection } from '../election/master-election.js';
import {
  INHERITED_MASTER_ELECTION_OPTIONS,
  MASTER_ELECTION_OPTIONS,
  RESOLVED_MASTER_ELECTION_OPTIONS,
} from '../shared/master-election.tokens.js';
import {
  getMasterElectionOptionsToken,
  getMasterElectionToken,
} from '../election/get-master-election-token.js';
import { resolveFeatureOptions } from './resolve-feature-options.js';
import { LeaderWorkModule } from './leader-work.module.js';

const elections = new WeakMap<ModulesContainer, ResolvedMasterElectionOptions[]>();

/**
 * Records an election of an application and returns its options.
 * @throws DuplicateElectionError when the application has another of the same name or lock name.
 */
export function claimElection(
  application: ModulesContainer,
  options: ResolvedMasterElectionOptions,
): ResolvedMasterElectionOptions {
  const others = elections.get(application) ?? [];
  for (const other of others)
    if (other.name === options.name || other.lockName === options.lockName)
      throw new DuplicateElectionError(other, options);
  elections.set(application, [...others, options]);
  return options;
}

/** Providers of the election of this name and of its options, given or inherited. */
function featureProviders(name: string): Provider[] {
  return [
    {
      provide: RESOLVED_MASTER_ELECTION_OPTIONS,
      useFactory: (
        options: Partial<MasterElectionOptions>,
        application: ModulesContainer,
        inherited: MasterElectionOptions | undefined,
      ) => claimElection(application, resolveFeatureOptions(name, options, inherited)),
      inject: [
        MASTER_ELECTION_OPTIONS,
        ModulesContainer,
        { token: INHERITED_MASTER_ELECTION_OPTIONS, optional: true },
      ],
    },
    {
      provide: getMasterElectionToken(name),
      useFactory: (options: ResolvedMasterElectionOptions, scheduler: SchedulerRegistry) =>
        new MasterElection(options, scheduler),
      inject: [RESOLVED_MASTER_ELECTION_OPTIONS, SchedulerRegistry],
    },
    { provide: getMasterElectionOptionsToken(name), useExisting: RESOLVED_MASTER_ELECTION_OPTIONS },
  ];
}

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

/** An election in addition to that of `forRoot`. Applications set it up with `MasterElectionModule.forFeature`. */
@Module({ imports: [LeaderWorkModule], exports: [LeaderWorkModule] })
export class MasterElectionFeatureModule extends ConfigurableModuleClass {}
