import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { encodeWorkerMessage } from '@detector-cluster/worker-protocol';
import { Clock } from '../clock/clock.js';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import type { MasterConnection } from '../connections/master-connection.js';
import { FaultPlan } from '../faults/fault-plan.js';
import { WORKER_OPTIONS } from '../options/worker-options.js';
import type { WorkerOptions } from '../options/worker-options.js';
import { WorkerStats } from '../stats/worker-stats.js';
import type { CameraStream } from '../streams/camera-stream.js';
import { StreamRegistry } from '../streams/stream-registry.js';
import { buildDetection } from './build-detection.js';
import { SequenceCounters } from './sequence-counters.js';

const TICK_MS = 10;
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/**
 * Sends the detections of every stream to the current master.
 *
 * A detection gets its number when it is passed to a socket. Detections that cannot be sent (no master, a silent worker,
 * a master that stopped reading) are counted as unsent and never queued. They get no number, so that a gap in the
 * numbers always means a detection that was lost in transit.
 */
@Injectable()
export class DetectionGenerator implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly streams: StreamRegistry,
    private readonly connections: ConnectionRegistry,
    private readonly faults: FaultPlan,
    private readonly sequences: SequenceCounters,
    private readonly stats: WorkerStats,
    @Inject(WORKER_OPTIONS)
    private readonly options: Pick<WorkerOptions, 'workerName' | 'detectionsPerSecond'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.options.detectionsPerSecond > 0) this.#timer = setInterval(() => this.tick(), TICK_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  private tick(): void {
    const now = this.clock.now();
    const master = this.faults.isSilent() ? undefined : this.connections.current();
    for (const stream of this.streams.streams()) {
      const due = stream.pacer.due(now);
      if (due > 0 && !this.faults.isOffline(stream.cameraId)) this.emit(stream, due, master);
    }
  }

  private emit(stream: CameraStream, frames: number, master: MasterConnection | undefined): void {
    const at = new Date();
    for (let frame = 0; frame < frames; frame++)
      for (const subscription of stream.subscriptions.values()) {
        if (master === undefined || master.bufferedBytes > MAX_BUFFERED_BYTES) {
          this.stats.unsent++;
          continue;
        }
        const sequence = this.sequences.next(subscription.identifier);
        const message = buildDetection(this.options.workerName, stream, subscription, sequence, at);
        master.send(encodeWorkerMessage(message));
        this.stats.detectionsSent++;
      }
  }
}
