import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { FoundWork } from './found-work.js';
import { leaderWorkOf } from './leader-work.accessor.js';
import { LeaderWorkOrchestrator } from './leader-work.orchestrator.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Method = (...args: unknown[]) => unknown;

/** Finds the decorated methods of all providers and controllers, before the first election can begin. */
@Injectable()
export class LeaderWorkExplorer implements OnModuleInit {
  private readonly logger = new Logger(LeaderWorkExplorer.name);

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly orchestrator: LeaderWorkOrchestrator,
  ) {}

  onModuleInit(): void {
    this.orchestrator.mount(this.explore());
  }

  private explore(): FoundWork[] {
    const found = new Map<object, FoundWork[]>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null || found.has(instance)) continue;
      // One instance can be provided under several tokens.
      found.set(instance, this.worksOf(instance as Record<string, Method>, wrapper));
    }
    return [...found.values()].flat();
  }

  private worksOf(instance: Record<string, Method>, wrapper: Wrapper): FoundWork[] {
    const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
    const works = this.scanner.getAllMethodNames(prototype).flatMap((name) =>
      leaderWorkOf(prototype![name]!).map((work) => ({
        work,
        label: `${prototype!.constructor.name}.${name}`,
        invoke: (...args: unknown[]) => instance[name]!(...args),
      })),
    );
    const obstacle = obstacleOf(wrapper);
    if (obstacle === undefined) return works;
    for (const { work, label } of works)
      this.logger.warn(
        `${work.decorator} on ${label} is without effect: ${obstacle}; move the method to a provider of default scope`,
      );
    return [];
  }
}

/** Why nothing can be called on the instance of a provider; `undefined` when it can. */
function obstacleOf(wrapper: Wrapper): string | undefined {
  if (wrapper.isTransient) return 'its class is transient, so that there is no single instance';
  return wrapper.isDependencyTreeStatic()
    ? undefined
    : 'its class is request-scoped, or depends on one that is';
}
