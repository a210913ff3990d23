import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import { type FoundWork, LEADER_WORK } from './leader-work.js';
import { LeaderWorkOrchestrator } from './leader-work.orchestrator.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];

/** How often the explorer looks for lazily loaded modules; Nest does not announce them. Milliseconds. */
const LOOK_INTERVAL = 500;

/**
 * Finds the decorated methods of all providers and controllers before the first election can begin. Finds those of lazily loaded
 * modules soon after they are loaded.
 */
@Injectable()
export class LeaderWorkExplorer implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(LeaderWorkExplorer.name);
  private readonly explored = new WeakSet<object>();
  private modules = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly application: ModulesContainer,
    private readonly discovery: DiscoveryService,
    private readonly orchestrator: LeaderWorkOrchestrator,
  ) {}

  /** @throws InvalidLeaderWorkError */
  onModuleInit(): void {
    this.modules = this.application.size;
    this.orchestrator.mount(this.explore());
    this.timer = setInterval(() => this.exploreNewModules(), LOOK_INTERVAL).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private exploreNewModules(): void {
    const { size } = this.application;
    if (size === this.modules) return;
    try {
      this.orchestrator.mount(this.explore());
    } catch (error) {
      this.logger.error((error as Error).message);
    }
    // Nest lists a module before it creates the instances of its providers.
    if (this.wrappers().every(isMade)) this.modules = size;
  }

  private wrappers(): Wrapper[] {
    return [...this.discovery.getProviders(), ...this.discovery.getControllers()];
  }

  private explore(): FoundWork[] {
    const found: FoundWork[] = [];
    for (const wrapper of this.wrappers()) {
      const instance: unknown = wrapper.instance;
      if (typeof instance !== 'object' || instance === null || !isMade(wrapper)) continue;
      // One instance can be provided under several tokens.
      if (this.explored.has(instance)) continue;
      this.explored.add(instance);
      found.push(...LEADER_WORK.of(wrapper, this.logger));
    }
    return found;
  }
}

/** Whether the instance of a wrapper is complete. Always true for transient and request-scoped providers. */
function isMade(wrapper: Wrapper): boolean {
  if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) return true;
  return wrapper.getInstanceByContextId(STATIC_CONTEXT).isResolved === true;
}
