import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  type CameraConnection,
  encodeWorkerMessage,
  type StateReportMessage,
} from '@detector-cluster/worker-protocol';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { type MasterConnection } from '../connections/master-connection.js';
import { ModelCache } from '../streams/model-cache.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { WorkerStats } from './worker-stats.js';
import { StreamRegistry, type Subscription } from '../streams/stream-registry.js';
import { LoadMeter } from './load-meter.js';

/** Tells masters what runs here: on connect, when asked, and at a fixed interval on every open socket. */
@Injectable()
export class StateReporter implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly streams: StreamRegistry,
    private readonly connections: ConnectionRegistry,
    private readonly load: LoadMeter,
    private readonly models: ModelCache,
    private readonly stats: WorkerStats,
    @Inject(WORKER_OPTIONS) private readonly options: Pick<WorkerOptions, 'stateReportInterval'>,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.sendTo(...this.connections.all()), this.options.stateReportInterval);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  sendTo(...connections: readonly MasterConnection[]): void {
    const receivers = connections.filter(({ isOpen }) => isOpen);
    if (receivers.length === 0) return;
    const frame = encodeWorkerMessage(this.report());
    for (const connection of receivers) connection.socket.send(frame);
    this.stats.stateReportsSent += receivers.length;
  }

  private report(): StateReportMessage {
    return {
      type: 'stateReport',
      ...this.load.measure(this.streams.streamCount),
      loadedModels: this.models.loaded(),
      cameraConnections: Array.from(this.streams.subscriptions(), (subscription) => this.row(subscription)),
    };
  }

  private row({ identifier, cameraId, payload }: Subscription): CameraConnection {
    const { modelId, modelName, fingerprint, cropX1, cropY1, cropX2, cropY2 } = payload;
    const model = this.models.find(payload);
    return {
      subscriptionIdentifier: identifier,
      modelId,
      modelName,
      online: this.streams.isOnline(cameraId),
      fingerprint,
      modelState: model?.state,
      reason: model?.reason,
      cropX1,
      cropY1,
      cropX2,
      cropY2,
    };
  }
}
