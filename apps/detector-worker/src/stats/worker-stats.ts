import { Injectable } from '@nestjs/common';
import type { WorkerCommandType } from '@detector-cluster/worker-protocol';
import type { CommandVerdict } from '../fencing/fencing-policy.js';

export type CommandCounts = Record<WorkerCommandType, number>;

const noCommands = (): CommandCounts => ({
  subscribe: 0,
  unsubscribe: 0,
  setSubscriptionList: 0,
  requestState: 0,
  setSessionId: 0,
  patchSessionResult: 0,
});

/** What happened since the process started. */
@Injectable()
export class WorkerStats {
  /** Carried out, from the master that ruled. */
  readonly accepted = noCommands();
  /** Carried out although the master had been replaced: only where terms are not enforced. */
  readonly stale = noCommands();
  /** Not carried out because the master had been replaced. */
  readonly refused = noCommands();
  readonly sessionPatches = { sent: 0, succeeded: 0, failed: 0 };
  detectionsSent = 0;
  unsent = 0;
  stateReportsSent = 0;
  refusedUpgrades = 0;

  countCommand(type: WorkerCommandType, verdict: CommandVerdict): void {
    const counts = { current: this.accepted, stale: this.stale, refused: this.refused }[verdict];
    counts[type]++;
  }

  countPatchResult(success: boolean): void {
    this.sessionPatches[success ? 'succeeded' : 'failed']++;
  }
}
