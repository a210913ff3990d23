import type { SubscribePayload } from '@detector-cluster/worker-protocol';
import { Controller, Get, Inject } from '@nestjs/common';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { FencingPolicy } from '../connections/fencing-policy.js';
import type { MasterConnection } from '../connections/master-connection.js';
import { SessionStore } from '../connections/session-store.js';
import { FaultPlan, type Faults } from '../faults/fault-plan.js';
import { type CachedModel, ModelCache } from '../streams/model-cache.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { SequenceCounters } from '../streams/sequence-counters.js';
import { DetectionOutbox } from '../streams/detection-outbox.js';
import { type CameraStream, StreamRegistry } from '../streams/stream-registry.js';
import { type CommandCounts, type NumberRange, WorkerStats } from './worker-stats.js';
import { InvalidFrames } from './invalid-frames.js';

/** Body of `GET /stats`. Addresses of cameras are left out: they hold credentials. */
export interface StatsReport extends Pick<
  WorkerOptions,
  'workerName' | 'fencing' | 'onDisconnect' | 'capacity'
> {
  readonly uptimeMs: number;
  /** 0 before any master with a term has connected. */
  readonly highestTerm: number;
  readonly connections: readonly (Pick<MasterConnection, 'number' | 'term' | 'masterId' | 'openedAt'> & {
    /** Whether detections go here. */
    readonly current: boolean;
  })[];
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
  /** Written to sockets, each time that they were. */
  readonly detectionsSent: number;
  /** Kept until a master confirms them. */
  readonly unconfirmed: number;
  /** Numbers of detections that were lost here, by subscription: no master had confirmed them when the outbox was full. */
  readonly unsent: Readonly<Record<string, readonly NumberRange[]>>;
  /** Number of the last detection of each subscription that there ever was. */
  readonly sequences: Readonly<Record<string, number>>;
  readonly stateReportsSent: number;
  readonly sessionPatches: { readonly sent: number; readonly succeeded: number; readonly failed: number };
  readonly sessions: Readonly<Record<string, number>>;
  readonly streams: readonly (Pick<CameraStream, 'cameraId' | 'streamId' | 'since'> & {
    readonly online: boolean;
    readonly subscriptions: readonly (Pick<
      SubscribePayload,
      | 'subscriptionIdentifier'
      | 'modelId'
      | 'modelName'
      | 'modelVersion'
      | 'cropX1'
      | 'cropY1'
      | 'cropX2'
      | 'cropY2'
    > & {
      /** Number of the last detection sent; 0 for none. */
      readonly sequence: number;
    })[];
  })[];
  /** Every file of a model that was needed. */
  readonly models: readonly CachedModel[];
  readonly faults: Faults;
}

const sum = (counts: CommandCounts) => Object.values(counts).reduce((total, count) => total + count, 0);

@Controller('stats')
export class StatsController {
  constructor(
    private readonly stats: WorkerStats,
    private readonly invalidFrames: InvalidFrames,
    private readonly connections: ConnectionRegistry,
    private readonly fencing: FencingPolicy,
    private readonly streams: StreamRegistry,
    private readonly sequences: SequenceCounters,
    private readonly outbox: DetectionOutbox,
    private readonly sessions: SessionStore,
    private readonly models: ModelCache,
    private readonly faults: FaultPlan,
    @Inject(WORKER_OPTIONS) private readonly options: WorkerOptions,
  ) {}

  @Get()
  read(): StatsReport {
    const { stats, options } = this;
    const current = this.connections.current();
    return {
      workerName: options.workerName,
      uptimeMs: Math.round(process.uptime() * 1000),
      fencing: options.fencing,
      onDisconnect: options.onDisconnect,
      capacity: options.capacity,
      highestTerm: this.fencing.highestTerm,
      connections: this.connections.all().map((connection) => ({
        number: connection.number,
        term: connection.term,
        masterId: connection.masterId,
        current: connection === current,
        openedAt: connection.openedAt,
      })),
      commands: { accepted: stats.accepted, stale: stats.stale, refused: stats.refused },
      staleCommands: sum(stats.stale),
      refusedCommands: sum(stats.refused),
      refusedUpgrades: stats.refusedUpgrades,
      invalidFrames: this.invalidFrames.counts(),
      detectionsSent: stats.detectionsSent,
      unconfirmed: this.outbox.unconfirmed,
      unsent: stats.unsent,
      sequences: this.sequences.all(),
      stateReportsSent: stats.stateReportsSent,
      sessionPatches: stats.sessionPatches,
      sessions: Object.fromEntries(this.sessions.entries()),
      streams: Array.from(this.streams.streams(), (stream) => this.stream(stream)),
      models: this.models.all(),
      faults: this.faults.current,
    };
  }

  private stream({ cameraId, streamId, since, subscriptions }: CameraStream): StatsReport['streams'][number] {
    return {
      cameraId,
      streamId,
      since,
      online: this.streams.isOnline(cameraId),
      subscriptions: Array.from(subscriptions.values(), ({ identifier, payload }) => ({
        subscriptionIdentifier: identifier,
        modelId: payload.modelId,
        modelName: payload.modelName,
        modelVersion: payload.modelVersion,
        cropX1: payload.cropX1,
        cropY1: payload.cropY1,
        cropX2: payload.cropX2,
        cropY2: payload.cropY2,
        sequence: this.sequences.last(identifier),
      })),
    };
  }
}
