import { toError } from '@detector-cluster/election/internal';
import { Injectable } from '@nestjs/common';
import { DetectorCluster } from '../node/detector-cluster.js';
import { parseSubscription } from '@detector-cluster/placement/internal';
import type { BoundWorkerEvent, FoundHandler } from './cluster-handler.js';
import { LOG_TOPICS, TopicLogger } from '../shared/topic-logger.js';

/** Binds decorated methods to the cluster. */
@Injectable()
export class ClusterHandlerOrchestrator {
  private readonly logger = new TopicLogger(LOG_TOPICS.cluster);

  constructor(private readonly cluster: DetectorCluster) {}

  /** @throws InvalidClusterHandlerError with all problems at once; nothing is mounted then. */
  mount(found: readonly FoundHandler[]): void {
    const problems = found.flatMap((one) => problemOf(one) ?? []);
    if (problems.length > 0) throw new InvalidClusterHandlerError(problems);
    for (const one of found)
      if (one.handler.kind === 'worker') this.listen(one.handler.event, one);
      else this.receive(one.handler.subscriptionIdentifier, one);
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

function problemOf({ handler, label }: FoundHandler): string | undefined {
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
