import type { IncomingMessage } from 'node:http';
import { MasterElection } from '@detector-cluster/master-election';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { readHello } from './hello.js';
import { CloseCode, Screen } from './screen.js';
import { WallStore } from './wall.store.js';

/** A page considers its replica dead after three intervals without a message. Milliseconds. */
const HEARTBEAT_INTERVAL = 2_000;
/** How long a page may take to say hello. Milliseconds. */
const HELLO_TIMEOUT = 5_000;

/** Refuses pages of other sites. Programs other than browsers send no origin. */
function isSameOrigin({ origin, req }: { origin?: string; req: IncomingMessage }): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === req.headers.host;
}

/** Where pages connect, on any replica. */
@WebSocketGateway({ path: '/screens', maxPayload: 1_024, verifyClient: isSameOrigin })
export class ScreenGateway
  implements OnGatewayConnection, OnGatewayDisconnect, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly screens = new Map<WebSocket, Screen>();
  private heartbeats: NodeJS.Timeout | undefined;
  private leaving = false;

  constructor(
    private readonly store: WallStore,
    private readonly election: MasterElection,
  ) {}

  onApplicationBootstrap(): void {
    this.store.onNews((display) => {
      for (const screen of this.screens.values()) if (screen.display === display) void screen.refresh();
    });
    this.heartbeats = setInterval(() => {
      for (const screen of this.screens.values()) screen.heartbeat();
    }, HEARTBEAT_INTERVAL);
  }

  handleConnection(socket: WebSocket): void {
    const screen = new Screen(socket, this.store, this.election.getNodeId());
    this.screens.set(socket, screen);
    const timer = setTimeout(() => {
      if (screen.display === undefined) screen.close(CloseCode.badMessage, 'no hello');
    }, HELLO_TIMEOUT);
    socket.once('close', () => clearTimeout(timer));
  }

  async handleDisconnect(socket: WebSocket): Promise<void> {
    const screen = this.screens.get(socket);
    this.screens.delete(socket);
    await screen?.leave();
  }

  @SubscribeMessage('hello')
  async handleHello(@ConnectedSocket() socket: WebSocket, @MessageBody() data: unknown): Promise<void> {
    const screen = this.screens.get(socket);
    if (screen === undefined) return;
    const hello = readHello(data);
    if (this.leaving) screen.close(CloseCode.goingAway, 'shutting down');
    else if (hello === null || screen.display !== undefined)
      screen.close(CloseCode.badMessage, 'one hello, for a known display');
    else await screen.open(hello);
  }

  /** Pages connect to other replicas at once. */
  beforeApplicationShutdown(): void {
    this.leaving = true;
    clearInterval(this.heartbeats);
    for (const screen of this.screens.values()) screen.close(CloseCode.goingAway, 'shutting down');
  }
}
