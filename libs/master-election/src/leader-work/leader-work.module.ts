import { Module, type Provider } from '@nestjs/common';
import { ModulesContainer, DiscoveryModule } from '@nestjs/core';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { LeaderWorkExplorer } from './leader-work.explorer.js';
import { LeaderWorkOrchestrator } from './leader-work.orchestrator.js';
import { MasterJobRegistry } from './master-job.registry.js';
import { WorkFailures } from './work-failures.js';

const OWN = Symbol('SCHEDULE_MODULE_OF_MASTER_ELECTION');

/** The `ScheduleModule` that the application itself imports, if any. */
function scheduleModuleOf(application: ModulesContainer) {
  for (const module of application.values())
    if (module.metatype === ScheduleModule && !module.providers.has(OWN)) return module;
  return undefined;
}

/**
 * Each import of `ScheduleModule` explores the whole application, so with two of them every `@Cron` would run twice. If the
 * application imports its own, this one explores nothing and uses the registry of the other.
 */
const { providers = [], ...scheduleModule } = ScheduleModule.forRootAsync({
  inject: [ModulesContainer],
  useFactory: (application: ModulesContainer) => {
    const explore = scheduleModuleOf(application) === undefined;
    return { cronJobs: explore, intervals: explore, timeouts: explore };
  },
});

const sharedRegistry: Provider = {
  provide: SchedulerRegistry,
  inject: [ModulesContainer],
  useFactory: (application: ModulesContainer) => {
    const own = new SchedulerRegistry();
    const used = () => scheduleModuleOf(application)?.getProviderByKey(SchedulerRegistry)?.instance ?? own;
    return new Proxy(own, {
      get: (_own, property) => {
        // Nest may create the other registry after this one.
        const registry = used() as SchedulerRegistry;
        const value: unknown = Reflect.get(registry, property, registry);
        return typeof value === 'function' ? (value.bind(registry) as unknown) : value;
      },
    });
  },
};

/** `ScheduleModule` of `@nestjs/schedule`, safe beside the one that an application imports. */
@Module({
  imports: [
    {
      ...scheduleModule,
      providers: [
        ...providers.filter((provider) => provider !== SchedulerRegistry),
        sharedRegistry,
        { provide: OWN, useValue: true },
      ],
    },
  ],
  exports: [ScheduleModule],
})
class SchedulerModule {}

/** Mounts decorated methods. Static, so that an application has one instance for all of its elections. */
@Module({
  imports: [DiscoveryModule, SchedulerModule],
  providers: [LeaderWorkExplorer, LeaderWorkOrchestrator, MasterJobRegistry, WorkFailures],
  exports: [MasterJobRegistry, SchedulerModule],
})
export class LeaderWorkModule {}
