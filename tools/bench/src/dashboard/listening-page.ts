import { once } from 'node:events';
import { DASHBOARD_PATH, DASHBOARD_PROTOCOL } from '@detector-cluster/dashboard-protocol';
import { WebSocket } from 'ws';

/** A dashboard page that counts what it receives. */
export class ListeningPage {
  /** Counts since it was opened. */
  bytes = 0;

  private constructor(
    private readonly socket: WebSocket,
    readonly snapshotBytes: number,
  ) {
    socket.on('message', (frame: Buffer) => (this.bytes += frame.length));
  }

  /** Resolves with its first message. */
  static async open(url: string): Promise<ListeningPage> {
    const socket = new WebSocket(url.replace(/^http/, 'ws') + DASHBOARD_PATH);
    await once(socket, 'open');
    socket.send(JSON.stringify({ event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey: null } }));
    const [frame] = (await once(socket, 'message')) as [Buffer];
    return new ListeningPage(socket, frame.length);
  }

  async close(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}
