import type { IncomingMessage } from 'node:http';
import { CloseCode, type WelcomeMessage } from '@detector-cluster/dashboard-protocol';
import { WebSocket } from 'ws';

/** The most that may wait for a page that does not read, in addition to one message of any length. Bytes. */
export const MAX_UNREAD = 4 * 1024 * 1024;

/** One socket of a page. */
export class Page {
  /** It has said who it is, and may be here. */
  greeted = false;
  /** Whether it has answered the last ping. */
  answers = true;
  /** The longest message that may still be on its way. Bytes. */
  private longest = 0;

  /** @param request with which the page has connected */
  constructor(
    private readonly socket: WebSocket,
    readonly request: IncomingMessage,
  ) {}

  welcome(data: WelcomeMessage['data']): void {
    this.greeted = true;
    this.send(Buffer.from(JSON.stringify({ event: 'welcome', data } satisfies WelcomeMessage)));
  }

  /** @param frame JSON text; one buffer for all pages, so that it is encoded once */
  send(frame: Buffer): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const { bufferedAmount } = this.socket;
    if (bufferedAmount > MAX_UNREAD + this.longest) {
      this.close(CloseCode.tooSlow, 'the page does not read');
      return;
    }
    if (bufferedAmount <= MAX_UNREAD) this.longest = 0;
    this.longest = Math.max(this.longest, frame.length);
    this.socket.send(frame, { binary: false });
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
