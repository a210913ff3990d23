import { on, once } from 'node:events';
import type { Socket } from 'node:net';
import {
  DASHBOARD_PATH,
  DASHBOARD_PROTOCOL,
  type DashboardMessage,
} from '@detector-cluster/dashboard-protocol';
import { WebSocket } from 'ws';

/** A dashboard page that counts what it receives, as it is on the wire. */
export class ListeningPage {
  private constructor(
    private readonly socket: WebSocket,
    private readonly connection: Socket,
    /** What came until the page knew everything, and how long those messages are. */
    readonly snapshot: { readonly wireBytes: number; readonly bytes: number },
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Bytes since the connection began. */
  get bytes(): number {
    return this.connection.bytesRead;
  }

  /** Resolves when it knows everything: subscriptions may follow the snapshot in a message of their own. */
  static async open(url: string): Promise<ListeningPage> {
    const socket = new WebSocket(url.replace(/^http/, 'ws') + DASHBOARD_PATH);
    let connection!: Socket;
    socket.once('upgrade', (response) => (connection = response.socket));
    await once(socket, 'open');
    // It closes after an error.
    socket.on('error', () => undefined);
    socket.send(JSON.stringify({ event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey: null } }));
    let bytes = 0;
    for await (const [frame] of on(socket, 'message', { close: ['close'] }) as AsyncIterable<[Buffer]>) {
      bytes += frame.length;
      const { event, data } = JSON.parse(String(frame)) as DashboardMessage;
      if (event === 'subscriptions' || (event === 'snapshot' && data.view.subscriptions !== null)) break;
    }
    return new ListeningPage(socket, connection, { wireBytes: connection.bytesRead, bytes });
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}
