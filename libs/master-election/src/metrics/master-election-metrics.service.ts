import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';
import { getMasterElectionToken } from '../named/get-master-election-token.js';
import type { MasterElectionMetricsOptions } from './master-election-metrics-options.js';
import { MASTER_ELECTION_METRICS_OPTIONS } from './master-election-metrics.tokens.js';
import { registerMasterElectionMetrics } from './register-master-election-metrics.js';

/** Measures elections from before their start to after their end. */
@Injectable()
export class MasterElectionMetricsService implements OnModuleInit, OnApplicationShutdown {
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
