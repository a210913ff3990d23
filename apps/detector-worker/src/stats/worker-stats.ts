import type { ParseFailure, WorkerCommandType } from '@detector-cluster/worker-protocol';
import { Injectable, Logger } from '@nestjs/common';
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

/** Counts what could not be used, and logs the first of each kind. */
@Injectable()
export class InvalidFrames {
  private readonly logger = new Logger(InvalidFrames.name);
  readonly #counts = new Map<string, number>();

  record({ kind, detail }: Pick<ParseFailure, 'detail'> & { kind: string }): void {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    if (count === 0) this.logger.warn(`${kind}: ${detail} (logged once per kind)`);
  }

  /** Violations that make the WebSocket library end the connection, e.g. a frame above the limit. */
  recordSocketError(error: Error & { code?: string }): void {
    const kind = error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' ? 'too-large' : 'socket-error';
    this.record({ kind, detail: error.message });
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
