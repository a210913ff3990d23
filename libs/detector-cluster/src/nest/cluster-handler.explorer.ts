import { toError } from '@detector-cluster/election/internal';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { parseSubscription } from '@detector-cluster/placement/internal';
import { DetectorCluster } from '../node/detector-cluster.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';
import { CLUSTER_HANDLERS, type BoundWorkerEvent, type FoundHandler } from './cluster-handler.js';

/** Finds the decorated methods of all providers and controllers, before the first detection can arrive, and binds them to the cluster. */
@Injectable()
export class ClusterHandlerExplorer implements OnModuleInit {
  private readonly logger = new TopicLogger(LOG_TOPICS.cluster);

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly cluster: DetectorCluster,
  ) {}

  /** @throws InvalidClusterHandlerError with all problems at once; nothing is mounted then. */
  onModuleInit(): void {
    const found = this.explore();
    const problems = found.flatMap((one) => problemOf(one) ?? []);
    if (problems.length > 0) throw new InvalidClusterHandlerError(problems);
    for (const one of found)
      if (one.metadata.kind === 'worker') this.listen(one.metadata.event, one);
      else this.receive(one.metadata.subscriptionIdentifier, one);
  }

  private explore(): FoundHandler[] {
    const found = new Map<object, FoundHandler[]>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance: unknown = wrapper.instance;
      // One instance can be provided under several tokens.
      if (typeof instance === 'object' && instance !== null && !found.has(instance))
        found.set(instance, CLUSTER_HANDLERS.of(wrapper, this.logger));
    }
    return [...found.values()].flat();
  }

  private receive(subscriptionIdentifier: string | undefined, { invoke, label }: FoundHandler): void {
    const callback = (...args: unknown[]) => invoke(...args) as void | Promise<void>;
    if (subscriptionIdentifier === undefined) this.cluster.addGlobalDetectionListener(callback);
    // The listener works at once. Only the announcement to the master may fail, and it is repeated.
    else
      this.cluster
        .addDetectionListener(subscriptionIdentifier, callback)
        .catch((error: Error) => this.logger.debug(`${label}: ${error.message}`));
  }

  /** Logs the errors of the method, which never reach the cluster. Raises the limit of listeners, so that many methods cause no warning. */
  private listen(event: BoundWorkerEvent, { invoke, label }: FoundHandler): void {
    const { cluster } = this;
    cluster.setMaxListeners(cluster.getMaxListeners() + 1);
    cluster.on(event, (argument) => {
      void (async () => {
        try {
          await invoke(argument);
        } catch (error) {
          this.logger.error(
            `${label} failed: ${toError(error).message}`,
            error instanceof Error ? error.stack : undefined,
          );
        }
      })();
    });
  }
}

function problemOf({ metadata: handler, label }: FoundHandler): string | undefined {
  if (handler.kind === 'worker' || handler.subscriptionIdentifier === undefined) return undefined;
  try {
    parseSubscription(handler.subscriptionIdentifier);
    return undefined;
  } catch (error) {
    return `${handler.decorator} on ${label}: ${(error as Error).message}`;
  }
}

/** Decorated methods cannot be mounted. Lists all of them, one sentence for each problem, by class and method. */
export class InvalidClusterHandlerError extends Error {
  override readonly name = 'InvalidClusterHandlerError';
  readonly code = 'INVALID_CLUSTER_HANDLER';

  constructor(readonly problems: readonly string[]) {
    super(
      `handlers of the detector cluster cannot be mounted:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}
