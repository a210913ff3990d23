import type { Socket } from 'node:net';
import type { LinkOptions } from './network-link.js';

/** From the one who dialled, or back to it. */
export type Direction = 'there' | 'back';

/** What one side of a connection sends to the other one, and its end. */
class Flow {
  readonly held: Buffer[] = [];
  private isHeld = false;
  private ended = false;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    /** Called before the other side sees anything. */
    private readonly onArrival: () => void = () => undefined,
  ) {}

  send(data: Buffer): void {
    if (this.isHeld) this.held.push(data);
    else this.pass(data);
  }

  end(): void {
    this.ended = true;
    if (this.isHeld) return;
    this.onArrival();
    this.to.destroySoon();
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    for (const data of this.held.splice(0)) this.pass(data);
    if (this.ended) this.end();
  }

  /** If one side sends faster than the other one reads, it has to wait. */
  private pass(data: Buffer): void {
    this.onArrival();
    const { from, to } = this;
    if (to.destroyed || to.write(data)) return;
    from.pause();
    to.once('drain', () => from.resume());
  }
}

/** One connection through a link. */
export class LinkConnection {
  onClosed: () => void = () => undefined;
  private readonly flows: Readonly<Record<Direction, Flow>>;
  private tears = false;
  private heard = false;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    { handshakeDelay = 0, dials }: LinkOptions,
  ) {
    const dialled = dials?.begin() ?? (() => undefined);
    const there = new Flow(client, server);
    const back = new Flow(server, client, dialled);
    this.flows = { there, back };
    client.on('data', (data) => there.send(data));
    server.on('data', (data) => {
      if (this.heard) return this.answer(data);
      this.heard = true;
      server.pause();
      setTimeout(() => {
        server.resume();
        this.answer(data);
      }, handshakeDelay);
    });
    client.once('close', dialled);
    for (const [socket, flow] of [
      [client, there],
      [server, back],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        flow.end();
        if (client.closed && server.closed) this.onClosed();
      });
    }
  }

  /** Whether the client has not ended it. */
  get isOpen(): boolean {
    return !this.client.closed;
  }

  /** Bytes that the client has sent and that are held back. */
  get heldBytes(): number {
    return this.flows.there.held.reduce((sum, { length }) => sum + length, 0);
  }

  hold(...directions: readonly Direction[]): void {
    for (const direction of directions) this.flows[direction].hold();
  }

  /** Forwards what was held back, and the end of a side. */
  release(): void {
    for (const flow of Object.values(this.flows)) flow.release();
  }

  /** Forwards only a part of the next answer, so that its last frame arrives incomplete, and resets the connection then. */
  tear(): void {
    this.tears = true;
  }

  loseServer(): void {
    this.server.destroy();
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.server.resetAndDestroy();
  }

  private answer(data: Buffer): void {
    if (!this.tears) return this.flows.back.send(data);
    this.client.write(data.subarray(0, data.length >> 1), () => this.reset());
    this.server.destroy();
  }
}
