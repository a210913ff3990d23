import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Logger } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import {
  CloseCode,
  type WorkerCommandResult,
  type WorkerCommandType,
} from '@detector-cluster/worker-protocol';
import type { WebSocket } from 'ws';
import { CommandExecutor } from './command-executor.js';
import { FencingPolicy } from './fencing-policy.js';
import { StateReporter } from '../reports/state-reporter.js';
import { WORKER_OPTIONS, type WorkerOptions } from '../worker-options.js';
import { WorkerStats } from '../reports/worker-stats.js';
import { InvalidFrames } from '../reports/invalid-frames.js';
import { DetectionOutbox } from '../streams/detection-outbox.js';
import { StreamRetention } from '../streams/stream-retention.js';
import { ConnectionAdmission } from './connection-admission.js';
import { ConnectionRegistry } from './connection-registry.js';
import { FRAME } from './worker-ws.adapter.js';

const SHUTDOWN_GRACE_MS = 1000;

/** Masters come and go here; what they say goes to the {@link CommandExecutor}. */
@WebSocketGateway({ path: '/' })
export class WorkerGateway implements OnGatewayConnection, OnGatewayDisconnect, BeforeApplicationShutdown {
  private readonly logger = new Logger(WorkerGateway.name);

  constructor(
    private readonly admission: ConnectionAdmission,
    private readonly connections: ConnectionRegistry,
    private readonly fencing: FencingPolicy,
    private readonly retention: StreamRetention,
    private readonly reporter: StateReporter,
    private readonly executor: CommandExecutor,
    private readonly outbox: DetectionOutbox,
    private readonly invalidFrames: InvalidFrames,
    private readonly stats: WorkerStats,
    @Inject(WORKER_OPTIONS) private readonly options: WorkerOptions,
  ) {}

  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    socket.on('error', (error) => this.invalidFrames.recordSocketError(error));
    const master = this.admission.identify(request);
    const { masterId, term } = master;
    const connection = this.connections.add(socket, master);
    this.fencing.observe(term);
    this.closeSuperseded();
    this.retention.opened();
    this.logger.log(`connection ${connection.number} opened: master ${masterId ?? 'unnamed'}, term ${term}`);
    this.reporter.sendTo(connection);
    this.outbox.flush();
  }

  handleDisconnect(socket: WebSocket): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    this.connections.remove(socket);
    this.logger.log(`connection ${connection.number} closed`);
    if (this.connections.size === 0) this.retention.allClosed();
  }

  @SubscribeMessage(FRAME)
  handleFrame(@ConnectedSocket() socket: WebSocket, @MessageBody() result: WorkerCommandResult): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    if (!result.ok) {
      this.invalidFrames.record(result);
      return;
    }
    const { command } = result;
    if (!knows(this.options.protocol, command.type)) {
      const detail = `${command.type} is not a command of version ${this.options.protocol.slice(1)}`;
      this.invalidFrames.record({ kind: 'unknown-type', detail });
      return;
    }
    const verdict = this.fencing.judge(connection.term);
    this.stats.countCommand(command.type, verdict);
    if (verdict !== 'refused') this.executor.execute(command, connection);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.admission.close();
    const sockets = this.connections.all().map(({ socket }) => socket);
    const signal = AbortSignal.timeout(SHUTDOWN_GRACE_MS);
    const closed = sockets.map((socket) => once(socket, 'close', { signal }));
    for (const socket of sockets) socket.close(CloseCode.GoingAway, 'shutting down');
    await Promise.allSettled(closed);
  }

  private closeSuperseded(): void {
    for (const connection of this.connections.all())
      if (!this.fencing.admits(connection.term))
        connection.socket.close(CloseCode.Superseded, `superseded by term ${this.fencing.highestTerm}`);
  }
}

function knows(protocol: WorkerOptions['protocol'], type: WorkerCommandType): boolean {
  if (type === 'setSubscriptionList') return protocol !== 'v1';
  return (type !== 'subscribe' && type !== 'unsubscribe') || protocol !== 'v2';
}
