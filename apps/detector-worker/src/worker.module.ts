import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { CommandExecutor } from './connections/command-executor.js';
import { ConnectionAdmission } from './connections/connection-admission.js';
import { ConnectionRegistry } from './connections/connection-registry.js';
import { WorkerGateway } from './connections/worker.gateway.js';
import { DetectionOutbox } from './streams/detection-outbox.js';
import { DetectionGenerator } from './streams/detection-generator.js';
import { SequenceCounters } from './streams/sequence-counters.js';
import { FaultsController } from './faults/faults.controller.js';
import { FaultPlan } from './faults/fault-plan.js';
import { FencingPolicy } from './connections/fencing-policy.js';
import { StatsController } from './reports/stats.controller.js';
import { HealthController } from './reports/health.controller.js';
import { CameraImageController } from './streams/camera-image.controller.js';
import { ModelCache } from './streams/model-cache.js';
import { WORKER_OPTIONS, type WorkerOptions } from './worker-options.js';
import { LoadMeter } from './reports/load-meter.js';
import { StateReporter } from './reports/state-reporter.js';
import { SessionPatcher } from './connections/session-patcher.js';
import { SessionStore } from './connections/session-store.js';
import { WorkerStats } from './reports/worker-stats.js';
import { InvalidFrames } from './reports/invalid-frames.js';
import { StreamRegistry } from './streams/stream-registry.js';
import { StreamRetention } from './streams/stream-retention.js';

@Module({
  controllers: [CameraImageController, FaultsController, HealthController, StatsController],
  providers: [
    Clock,
    CommandExecutor,
    ConnectionAdmission,
    ConnectionRegistry,
    DetectionGenerator,
    DetectionOutbox,
    InvalidFrames,
    LoadMeter,
    ModelCache,
    SequenceCounters,
    SessionPatcher,
    SessionStore,
    StateReporter,
    StreamRetention,
    WorkerGateway,
    WorkerStats,
    {
      provide: FaultPlan,
      inject: [WORKER_OPTIONS],
      useFactory: ({ faults }: WorkerOptions) => new FaultPlan(faults),
    },
    {
      provide: FencingPolicy,
      inject: [WORKER_OPTIONS],
      useFactory: ({ fencing }: WorkerOptions) => new FencingPolicy(fencing === 'on'),
    },
    {
      provide: StreamRegistry,
      inject: [Clock, FaultPlan, ModelCache, WORKER_OPTIONS],
      useFactory: (clock: Clock, faults: FaultPlan, models: ModelCache, options: WorkerOptions) =>
        new StreamRegistry(clock, faults, options.detectionsPerSecond, models, options.openCameras),
    },
  ],
})
export class WorkerModule {
  static forRoot(options: WorkerOptions): DynamicModule {
    return { module: WorkerModule, providers: [{ provide: WORKER_OPTIONS, useValue: options }] };
  }
}
