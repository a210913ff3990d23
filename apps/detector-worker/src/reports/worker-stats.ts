import type { WorkerCommandType } from '@detector-cluster/worker-protocol';
import { Injectable } from '@nestjs/common';
import type { CommandVerdict } from '../connections/fencing-policy.js';

export type CommandCounts = Record<WorkerCommandType, number>;

const noCommands = (): CommandCounts => ({
  subscribe: 0,
  unsubscribe: 0,
  setSubscriptionList: 0,
  requestState: 0,
  setSessionId: 0,
  patchSessionResult: 0,
  detectionsAccepted: 0,
});

/** Numbers of a subscription that follow one another. */
export type NumberRange = readonly [first: number, last: number];

/** Counters since the start of the process. */
@Injectable()
export class WorkerStats {
  /** Carried out, from the master that ruled. */
  readonly accepted = noCommands();
  /** Carried out although the master had been replaced: only where terms are not enforced. */
  readonly stale = noCommands();
  /** Not carried out because the master had been replaced. */
  readonly refused = noCommands();
  readonly sessionPatches = { sent: 0, succeeded: 0, failed: 0 };
  /** Written to sockets, each time that they were. */
  detectionsSent = 0;
  /** Numbers of detections that were lost here, by subscription: no master had confirmed them when the outbox was full. */
  readonly unsent: Record<string, NumberRange[]> = {};
  stateReportsSent = 0;
  refusedUpgrades = 0;

  countCommand(type: WorkerCommandType, verdict: CommandVerdict): void {
    const counts = { current: this.accepted, stale: this.stale, refused: this.refused }[verdict];
    counts[type]++;
  }

  /** @param sequence above all that were counted of the subscription */
  countUnsent(subscriptionIdentifier: string, sequence: number): void {
    const ranges = (this.unsent[subscriptionIdentifier] ??= []);
    const [first, last] = ranges.at(-1) ?? [];
    if (first !== undefined && last === sequence - 1) ranges[ranges.length - 1] = [first, sequence];
    else ranges.push([sequence, sequence]);
  }

  countPatchResult(success: boolean): void {
    this.sessionPatches[success ? 'succeeded' : 'failed']++;
  }
}
