import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import type { MasterConnection } from '../connections/master-connection.js';
import { FaultPlan } from './fault-plan.js';

const INTERNAL_ERROR = 1011;
/** Closes sockets some time after they were opened, as a crashing worker would. */
@Injectable()
export class CloseFaultService implements OnModuleDestroy {
  readonly #timers = new Map<MasterConnection, NodeJS.Timeout>();

  constructor(
    private readonly plan: FaultPlan,
    private readonly connections: ConnectionRegistry,
  ) {
    plan.onReplaced(() => {
      for (const connection of this.connections.all()) this.arm(connection);
    });
  }

  arm(connection: MasterConnection): void {
    this.disarm(connection);
    const { closeAfterMs } = this.plan.current;
    if (closeAfterMs === null) return;
    this.#timers.set(
      connection,
      setTimeout(() => connection.socket.close(INTERNAL_ERROR, 'fault'), closeAfterMs),
    );
  }

  disarm(connection: MasterConnection): void {
    clearTimeout(this.#timers.get(connection));
    this.#timers.delete(connection);
  }

  onModuleDestroy(): void {
    for (const connection of this.#timers.keys()) this.disarm(connection);
  }
}
