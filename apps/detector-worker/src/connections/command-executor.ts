import { Injectable } from '@nestjs/common';
import type { WorkerCommand } from '@detector-cluster/worker-protocol';
import type { MasterConnection } from './master-connection.js';
import { StateReporter } from '../reports/state-reporter.js';
import { SessionStore } from './session-store.js';
import { WorkerStats } from '../reports/worker-stats.js';
import { DetectionOutbox } from '../streams/detection-outbox.js';
import { StreamRegistry } from '../streams/stream-registry.js';

/** Carries out the commands of a master that may command. */
@Injectable()
export class CommandExecutor {
  constructor(
    private readonly streams: StreamRegistry,
    private readonly sessions: SessionStore,
    private readonly reporter: StateReporter,
    private readonly outbox: DetectionOutbox,
    private readonly stats: WorkerStats,
  ) {}

  execute(command: WorkerCommand, from: MasterConnection): void {
    switch (command.type) {
      case 'subscribe':
        this.streams.subscribe(command.payload);
        break;
      case 'unsubscribe':
        this.streams.unsubscribe(command.payload.subscriptionIdentifier);
        break;
      case 'setSubscriptionList':
        this.streams.replaceAll(command.payload.subscriptions);
        break;
      case 'requestState':
        this.reporter.sendTo(from);
        break;
      case 'setSessionId':
        this.sessions.set(command.payload.displayIdentifier, command.payload.sessionId);
        break;
      case 'patchSessionResult':
        this.stats.countPatchResult(command.payload.success);
        break;
      case 'detectionsAccepted':
        this.outbox.confirm(from, command.payload.boot, command.payload.upTo);
        break;
    }
  }
}
