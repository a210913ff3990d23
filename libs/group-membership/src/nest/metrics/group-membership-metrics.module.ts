import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Registry } from 'prom-client';
import { GroupMembership } from '../group-membership.js';
import { registerGroupMembershipMetrics } from './register-group-membership-metrics.js';

export interface GroupMembershipMetricsOptions {
  /** Default: prom-client's global registry. */
  readonly registry?: Registry;
}

const OPTIONS = Symbol('GROUP_MEMBERSHIP_METRICS_OPTIONS');

@Injectable()
class GroupMembershipMetricsService implements OnModuleInit, OnApplicationShutdown {
  private end: () => void = () => undefined;

  constructor(
    @Inject(OPTIONS) private readonly options: GroupMembershipMetricsOptions,
    private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    const membership = this.moduleRef.get(GroupMembership, { strict: false });
    this.end = registerGroupMembershipMetrics(membership, this.options.registry);
  }

  onApplicationShutdown(): void {
    this.end();
  }
}

/** Registers the metrics of the group with prom-client, from before the process joins until the application has ended. */
@Module({})
export class GroupMembershipMetricsModule {
  static register(options: GroupMembershipMetricsOptions = {}): DynamicModule {
    return {
      module: GroupMembershipMetricsModule,
      providers: [{ provide: OPTIONS, useValue: options }, GroupMembershipMetricsService],
    };
  }
}
