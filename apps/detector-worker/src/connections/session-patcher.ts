import { encodeWorkerMessage } from '@detector-cluster/worker-protocol';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ConnectionRegistry } from './connection-registry.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { WorkerStats } from '../reports/worker-stats.js';
import { SessionStore } from './session-store.js';

/** Reports something about every session now and then, where the option asks for it. */
@Injectable()
export class SessionPatcher implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: SessionStore,
    private readonly connections: ConnectionRegistry,
    private readonly stats: WorkerStats,
    @Inject(WORKER_OPTIONS) private readonly options: Pick<WorkerOptions, 'patchSessionEveryMs'>,
  ) {}

  onApplicationBootstrap(): void {
    const every = this.options.patchSessionEveryMs;
    if (every !== null) this.#timer = setInterval(() => this.send(), every);
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  private send(): void {
    const master = this.connections.current();
    if (master === undefined) return;
    for (const [displayId, sessionId] of this.sessions.entries()) {
      const data = { displayIdentifier: displayId, lastSeen: new Date().toISOString() };
      master.socket.send(encodeWorkerMessage({ type: 'patchSession', sessionId, data }));
      this.stats.sessionPatches.sent++;
    }
  }
}
