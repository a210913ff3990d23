import type { WebSocket } from 'ws';
import { replica } from './config.js';
import { displays } from './displays.js';
import type { Hello } from './hello.js';
import { BATCH, type WallStore } from './wall.store.js';

/** Why a connection is closed. */
export const CloseCode = {
  goingAway: 1001,
  badMessage: 1008,
  tryAgain: 1013,
  /** Another page shows the display. */
  replaced: 4001,
} as const;

/** A page that does not read that much waits for the next heartbeat. Bytes. */
const MAX_BUFFERED = 256 * 1024;

/** The connection of one page. Sends what is new in the log of its display, from the position that the page has reached. */
export class Screen {
  private hello: Hello | undefined;
  /** Whether the server has assigned a display to the page. */
  private welcomed = false;
  private answered = true;
  private position = '';
  private reading = false;
  private readAgain = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly store: WallStore,
    private readonly processId: string,
  ) {
    socket.on('pong', () => (this.answered = true));
  }

  /** Undefined before its hello. */
  get display(): string | undefined {
    return this.hello?.display;
  }

  /** Claims the display, and begins to send. */
  async open(hello: Hello): Promise<void> {
    this.hello = hello;
    this.position = hello.after;
    const { display, page, opened } = hello;
    try {
      if (!(await this.store.claim(display, this.holder(page), opened))) return this.replaced();
    } catch {
      return this.close(CloseCode.tryAgain, 'Redis is unavailable');
    }
    this.send('welcome', { display, cameras: displays.get(display), replica });
    this.welcomed = true;
    console.log(`shows ${display}`);
    await this.refresh();
  }

  /** Sends what is new, or closes the connection if another page shows the display. Calls during a read cause one more. */
  async refresh(): Promise<void> {
    this.readAgain = true;
    if (this.reading || !this.welcomed) return;
    this.reading = true;
    try {
      while (this.readAgain && this.isOpen && this.socket.bufferedAmount < MAX_BUFFERED) {
        this.readAgain = false;
        await this.sendNext();
      }
    } catch {
      this.close(CloseCode.tryAgain, 'Redis is unavailable');
    } finally {
      this.reading = false;
    }
  }

  /** Tells the page that this replica is alive, and closes the connection if the page is not. Reads, because news may get lost. */
  heartbeat(): void {
    if (!this.welcomed) return;
    if (!this.answered) return this.socket.terminate();
    this.answered = false;
    this.socket.ping();
    this.send('heartbeat', {});
    void this.refresh();
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Gives the display up, unless another page shows it. */
  async leave(): Promise<void> {
    if (this.hello === undefined) return;
    const { display, page } = this.hello;
    // If Redis is unavailable, the next claim overwrites the record.
    await this.store.release(display, this.holder(page)).catch(() => undefined);
  }

  private async sendNext(): Promise<void> {
    const { display, page } = this.hello!;
    const entries = await this.store.read(display, this.holder(page), this.position);
    if (entries === null) return this.replaced();
    for (const entry of entries) {
      this.send('sighting', entry);
      this.position = entry.position;
    }
    this.readAgain ||= entries.length === BATCH;
  }

  private replaced(): void {
    this.close(CloseCode.replaced, 'another page shows this display');
  }

  private send(event: string, data: object): void {
    if (this.isOpen) this.socket.send(JSON.stringify({ event, data }));
  }

  private holder(page: string) {
    return { page, processId: this.processId };
  }

  private get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }
}
