/**
 * Metrics of the group for `prom-client`.
 *
 * @example
 * ```ts
 * import { GroupMembershipMetricsModule } from '@detector-cluster/group-membership/nest/metrics';
 * import { Module } from '@nestjs/common';
 *
 * @Module({ imports: [GroupMembershipMetricsModule.register()] })
 * export class AppModule {}
 * ```
 * @packageDocumentation
 */
import { errorMonitor } from 'node:events';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Counter, Gauge, register, type Registry } from 'prom-client';
import { GroupMembership, type GroupMembershipStatus } from './group-membership.js';

export interface GroupMembershipMetricsOptions {
  /** Default: prom-client's global registry. */
  readonly registry?: Registry;
}

const OPTIONS = Symbol('GROUP_MEMBERSHIP_METRICS_OPTIONS');

/** Registers the metrics of the group with prom-client, from before the process joins until the application has ended. */
@Module({})
export class GroupMembershipMetricsModule implements OnModuleInit, OnApplicationShutdown {
  static register(options: GroupMembershipMetricsOptions = {}): DynamicModule {
    return {
      module: GroupMembershipMetricsModule,
      providers: [{ provide: OPTIONS, useValue: options }],
    };
  }

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

const LABELS = ['group'] as const;

/** What each scrape reads. */
const GAUGES: Readonly<Record<string, [help: string, read: (status: GroupMembershipStatus) => number]>> = {
  member: ['1 while this process is a member', ({ id }) => (id === null ? 0 : 1)],
  leader: ['1 while this process leads', ({ role }) => (role === 'leader' ? 1 : 0)],
  may_act: ['1 while this process leads and may act', ({ mayAct }) => (mayAct ? 1 : 0)],
  leader_known: ['1 while this process knows who leads', ({ leader }) => (leader ? 1 : 0)],
  members: ['Members that are not known to have ended', ({ members }) => members],
  term: ['Highest term that this process has seen', ({ term }) => term],
};

/**
 * Measures a group with prom-client, until the returned function is called.
 * @param registry Default: prom-client's global registry. One registry can hold one group.
 */
export function registerGroupMembershipMetrics(
  membership: GroupMembership,
  registry: Registry = register,
): () => void {
  const { group } = membership.getStatus();
  const registers = [registry];
  const names: string[] = [];
  const named = (name: string) => {
    names.push(`group_membership_${name}`);
    return `group_membership_${name}`;
  };
  for (const [name, [help, read]] of Object.entries(GAUGES)) {
    const gauge = new Gauge({
      name: named(name),
      help,
      labelNames: LABELS,
      registers: [],
      collect() {
        this.set({ group }, read(membership.getStatus()));
      },
    });
    registry.registerMetric(gauge);
  }
  const counted = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>) =>
    new Counter({
      name: named(name),
      help,
      labelNames: [...LABELS, label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ group, [label]: value }, count);
      },
    });
  counted('messages_sent_total', 'Messages sent to other members, by type', 'type', () => membership.sent);
  counted('frames_dropped_total', 'Frames that were dropped, by reason', 'reason', () => membership.faults);
  const transitions = new Counter({
    name: named('transitions_total'),
    help: 'Times that this process began or ceased to lead, or left the group, by what happened and why',
    labelNames: [...LABELS, 'to', 'reason'],
    registers,
  });
  const errors = new Counter({
    name: named('errors_total'),
    help: 'Errors of the group, by code',
    labelNames: [...LABELS, 'code'],
    registers,
  });
  let term: number | undefined;
  const endings = [
    membership.on('lease', (lease) => {
      if (lease.term !== term) transitions.inc({ group, to: 'leader', reason: lease.reason });
      term = lease.term;
    }),
    membership.on('lost', ({ reason }) => {
      term = undefined;
      transitions.inc({ group, to: 'follower', reason });
    }),
    membership.on('left', (reason) => transitions.inc({ group, to: 'joining', reason })),
    membership.on(errorMonitor as unknown as 'error', (error) => {
      const { code } = error as { code?: unknown };
      errors.inc({ group, code: typeof code === 'string' ? code : error.name });
    }),
  ];
  return () => {
    for (const end of endings) end();
    for (const name of names) registry.removeSingleMetric(name);
  };
}
