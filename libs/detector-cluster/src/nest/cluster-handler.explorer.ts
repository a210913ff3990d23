import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { clusterHandlersOf, type FoundHandler } from './cluster-handler.js';
import { ClusterHandlerOrchestrator } from './cluster-handler.orchestrator.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Method = (...args: unknown[]) => unknown;

/** Finds the decorated methods of all providers and controllers, before the first detection can arrive. */
@Injectable()
export class ClusterHandlerExplorer implements OnModuleInit {
  private readonly logger = new TopicLogger(LOG_TOPICS.cluster);

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly orchestrator: ClusterHandlerOrchestrator,
  ) {}

  onModuleInit(): void {
    this.orchestrator.mount(this.explore());
  }

  private explore(): FoundHandler[] {
    const found = new Map<object, FoundHandler[]>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      // One instance can be provided under several tokens.
      if (typeof instance === 'object' && instance !== null && !found.has(instance))
        found.set(instance, this.handlersOf(instance as Record<string, Method>, wrapper));
    }
    return [...found.values()].flat();
  }

  private handlersOf(instance: Record<string, Method>, wrapper: Wrapper): FoundHandler[] {
    const prototype = Object.getPrototypeOf(instance) as Record<string, Method> | null;
    const handlers = this.scanner.getAllMethodNames(prototype).flatMap((name) =>
      clusterHandlersOf(prototype![name]!).map((handler) => ({
        handler,
        label: `${prototype!.constructor.name}.${name}`,
        invoke: (...args: unknown[]) => instance[name]!(...args),
      })),
    );
    const obstacle = obstacleOf(wrapper);
    if (obstacle === undefined) return handlers;
    for (const { handler, label } of handlers)
      this.logger.warn(
        `${handler.decorator} on ${label} is without effect: ${obstacle}; move the method to a provider of default scope`,
      );
    return [];
  }
}

/** Why no method can be called on the instance of a provider; `undefined` if one can. */
function obstacleOf(wrapper: Wrapper): string | undefined {
  if (wrapper.isTransient) return 'its class is transient, so that there is no single instance';
  return wrapper.isDependencyTreeStatic()
    ? undefined
    : 'its class is request-scoped, or depends on one that is';
}
