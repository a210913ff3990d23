import { once } from 'node:events';
import type { Socket } from 'node:net';
import { DASHBOARD_PATH, DASHBOARD_PROTOCOL } from '@detector-cluster/dashboard-protocol';
import { WebSocket } from 'ws';

/** A dashboard page that counts what it receives, as it is on the wire. */
export class ListeningPage {
  private constructor(
    private readonly socket: WebSocket,
    private readonly connection: Socket,
    /** What came until the first message was complete, and how long that message is. */
    readonly snapshot: { readonly wireBytes: number; readonly bytes: number },
  ) {}

  /** Bytes since the connection began. */
  get bytes(): number {
    return this.connection.bytesRead;
  }

  /** Resolves with its first message. */
  static async open(url: string): Promise<ListeningPage> {
    const socket = new WebSocket(url.replace(/^http/, 'ws') + DASHBOARD_PATH);
    let connection!: Socket;
    socket.once('upgrade', (response) => (connection = response.socket));
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey: null } }));
    const [frame] = (await once(socket, 'message')) as [Buffer];
    return new ListeningPage(socket, connection, { wireBytes: connection.bytesRead, bytes: frame.length });
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}
