import { CloseCode } from '@detector-cluster/dashboard-protocol';
import { WebSocket } from 'ws';

/** What may wait for a page that does not read, beyond the snapshot that it was given. Bytes. */
export const MOST_UNREAD = 4 * 1024 * 1024;

/** One socket of a page. */
export class Page {
  /** It has said who it is. */
  greeted = false;
  /** It has answered the last ping. */
  answers = true;
  /** Size of a snapshot that may still be on its way. Bytes. */
  private allowance = 0;

  constructor(private readonly socket: WebSocket) {}

  /** @param frame JSON text; one buffer for all pages, so that it is encoded once */
  send(frame: Buffer): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const { bufferedAmount } = this.socket;
    if (bufferedAmount <= MOST_UNREAD) this.allowance = 0;
    if (bufferedAmount > MOST_UNREAD + this.allowance)
      this.close(CloseCode.tooSlow, 'the page does not read');
    else this.socket.send(frame, { binary: false });
  }

  sendSnapshot(frame: Buffer): void {
    this.send(frame);
    this.allowance = frame.length;
  }

  ping(): void {
    this.answers = false;
    this.socket.ping();
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.socket.terminate();
  }
}
