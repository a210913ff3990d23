import type { Faults } from '../faults/faults.schema.js';
import type { CommandCounts } from './worker-stats.js';

/** Body of `GET /stats`. Addresses of cameras are left out: they hold credentials. */
export interface StatsReport {
  readonly workerName: string;
  readonly uptimeMs: number;
  readonly fencing: 'on' | 'off';
  readonly onDisconnect: 'linger' | 'drop';
  readonly capacity: number;
  /** 0 before any master with a term has connected. */
  readonly highestTerm: number;
  readonly connections: readonly {
    readonly number: number;
    readonly term: number;
    readonly masterId: string | null;
    /** Whether detections go here. */
    readonly current: boolean;
    readonly openedAt: string;
  }[];
  readonly commands: {
    readonly accepted: CommandCounts;
    readonly stale: CommandCounts;
    readonly refused: CommandCounts;
  };
  /** Sum of `commands.stale`: 0 where terms are enforced. */
  readonly staleCommands: number;
  /** Sum of `commands.refused`. */
  readonly refusedCommands: number;
  readonly refusedUpgrades: number;
  readonly invalidFrames: Readonly<Record<string, number>>;
  readonly detectionsSent: number;
  readonly unsent: number;
  readonly stateReportsSent: number;
  readonly sessionPatches: { readonly sent: number; readonly succeeded: number; readonly failed: number };
  readonly sessions: Readonly<Record<string, number>>;
  readonly streams: readonly {
    readonly cameraId: string;
    readonly streamId: string;
    readonly online: boolean;
    readonly since: string;
    readonly subscriptions: readonly {
      readonly subscriptionIdentifier: string;
      readonly modelId: number;
      readonly modelName: string;
      /** As subscribed, in pixels; absent for the whole frame. */
      readonly cropX1?: number | undefined;
      readonly cropY1?: number | undefined;
      readonly cropX2?: number | undefined;
      readonly cropY2?: number | undefined;
      /** Number of the last detection sent; 0 for none. */
      readonly sequence: number;
    }[];
  }[];
  readonly faults: Faults;
}
