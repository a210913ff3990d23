import { Controller, Get, Inject } from '@nestjs/common';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { FencingPolicy } from '../connections/fencing-policy.js';
import { SessionStore } from '../connections/session-store.js';
import { FaultPlan } from '../faults/fault-plan.js';
import { ModelCache } from '../streams/model-cache.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { SequenceCounters } from '../streams/sequence-counters.js';
import { DetectionOutbox } from '../streams/detection-outbox.js';
import { type CameraStream, StreamRegistry } from '../streams/stream-registry.js';
import { type CommandCounts, WorkerStats } from './worker-stats.js';
import { InvalidFrames } from './invalid-frames.js';

/** Body of `GET /stats`. Addresses of cameras are left out: they hold credentials. */
export type StatsReport = ReturnType<StatsController['read']>;

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
  read() {
    const { stats, options } = this;
    const current = this.connections.current();
    return {
      workerName: options.workerName,
      uptimeMs: Math.round(process.uptime() * 1000),
      fencing: options.fencing,
      onDisconnect: options.onDisconnect,
      capacity: options.capacity,
      /** 0 before any master with a term has connected. */
      highestTerm: this.fencing.highestTerm,
      connections: this.connections.all().map((connection) => ({
        number: connection.number,
        term: connection.term,
        masterId: connection.masterId,
        /** Whether detections go here. */
        current: connection === current,
        openedAt: connection.openedAt,
      })),
      commands: { accepted: stats.accepted, stale: stats.stale, refused: stats.refused },
      /** Sum of `commands.stale`: 0 where terms are enforced. */
      staleCommands: sum(stats.stale),
      /** Sum of `commands.refused`. */
      refusedCommands: sum(stats.refused),
      refusedUpgrades: stats.refusedUpgrades,
      invalidFrames: this.invalidFrames.counts(),
      /** Written to sockets, each time that they were. */
      detectionsSent: stats.detectionsSent,
      /** Kept until a master confirms them. */
      unconfirmed: this.outbox.unconfirmed,
      /** Numbers of detections that were lost here, by subscription: no master had confirmed them when the outbox was full. */
      unsent: stats.unsent,
      /** Number of the last detection of each subscription that there ever was. */
      sequences: this.sequences.all(),
      stateReportsSent: stats.stateReportsSent,
      sessionPatches: stats.sessionPatches,
      sessions: Object.fromEntries(this.sessions.entries()),
      streams: Array.from(this.streams.streams(), (stream) => this.stream(stream)),
      /** Every file of a model that was needed. */
      models: this.models.all(),
      faults: this.faults.current,
    };
  }

  private stream({ cameraId, streamId, since, subscriptions }: CameraStream) {
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
        /** Number of the last detection sent; 0 for none. */
        sequence: this.sequences.last(identifier),
      })),
    };
  }
}
