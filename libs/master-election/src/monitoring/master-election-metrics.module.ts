import type { Registry } from 'prom-client';
import {
  Inject,
  type OnApplicationShutdown,
  type OnModuleInit,
  Module,
  type DynamicModule,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DEFAULT_ELECTION_NAME } from '../shared/resolve-options.js';
import { getMasterElectionToken } from '../election/get-master-election-token.js';
import { registerMasterElectionMetrics } from './election-metrics.js';

/** Injection token of `MasterElectionMetricsOptions`. */
const MASTER_ELECTION_METRICS_OPTIONS = Symbol('MASTER_ELECTION_METRICS_OPTIONS');

/** Options of `MasterElectionMetricsModule.register`. */
export interface MasterElectionMetricsOptions {
  /** Names of the elections. Default: that of `forRoot`, `['default']`. */
  readonly elections?: readonly string[];
  /** Default: the default registry of prom-client. */
  readonly registry?: Registry;
}

/** Registers the metrics of elections with prom-client, from before their start to after their end. */
@Module({})
export class MasterElectionMetricsModule implements OnModuleInit, OnApplicationShutdown {
  static register(options: MasterElectionMetricsOptions = {}): DynamicModule {
    return {
      module: MasterElectionMetricsModule,
      providers: [{ provide: MASTER_ELECTION_METRICS_OPTIONS, useValue: options }],
    };
  }

  private endings: (() => void)[] = [];

  constructor(
    @Inject(MASTER_ELECTION_METRICS_OPTIONS) private readonly options: MasterElectionMetricsOptions,
    private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    const { elections = [DEFAULT_ELECTION_NAME], registry } = this.options;
    this.endings = elections.map((name) => {
      const election = this.moduleRef.get(getMasterElectionToken(name), { strict: false });
      return registerMasterElectionMetrics(election, registry);
    });
  }

  onApplicationShutdown(): void {
    for (const end of this.endings.splice(0)) end();
  }
}
