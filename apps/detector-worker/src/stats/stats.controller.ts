import { Controller, Get, Inject } from '@nestjs/common';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { SequenceCounters } from '../detections/sequence-counters.js';
import { FaultPlan } from '../faults/fault-plan.js';
import { FencingPolicy } from '../fencing/fencing-policy.js';
import { WORKER_OPTIONS } from '../options/worker-options.js';
import type { WorkerOptions } from '../options/worker-options.js';
import { SessionStore } from '../sessions/session-store.js';
import type { CameraStream } from '../streams/camera-stream.js';
import { StreamRegistry } from '../streams/stream-registry.js';
import { InvalidFrames } from './invalid-frames.js';
import type { StatsReport } from './stats-report.js';
import type { CommandCounts } from './worker-stats.js';
import { WorkerStats } from './worker-stats.js';

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
    private readonly sessions: SessionStore,
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
      unsent: stats.unsent,
      stateReportsSent: stats.stateReportsSent,
      sessionPatches: stats.sessionPatches,
      sessions: Object.fromEntries(this.sessions.entries()),
      streams: Array.from(this.streams.streams(), (stream) => this.stream(stream)),
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
        cropX1: payload.cropX1,
        cropY1: payload.cropY1,
        cropX2: payload.cropX2,
        cropY2: payload.cropY2,
        sequence: this.sequences.last(identifier),
      })),
    };
  }
}
