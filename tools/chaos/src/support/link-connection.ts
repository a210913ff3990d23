import type { Socket } from 'node:net';
import type { WorkerLinkOptions } from './worker-link.js';

/** What can be held back: the master's data, or everything, including the close of a side. */
export type Held = 'nothing' | 'commands' | 'both';

/** One connection through a link. */
export class LinkConnection {
  onClosed: () => void = () => undefined;
  private held: Held = 'nothing';
  private readonly toWorker: Buffer[] = [];
  private readonly toMaster: Buffer[] = [];
  private ended = false;
  private tears = false;
  private heard = false;
  /** Stops counting this dial. */
  private readonly dialled: () => void;

  constructor(
    private readonly master: Socket,
    private readonly worker: Socket,
    { handshakeDelay = 0, dials }: WorkerLinkOptions,
  ) {
    this.dialled = dials?.begin() ?? (() => undefined);
    master.on('data', (data) => {
      if (this.held === 'nothing') pass(data, master, worker);
      else this.toWorker.push(data);
    });
    worker.on('data', (data) => {
      if (this.heard) return this.answer(data);
      this.heard = true;
      worker.pause();
      setTimeout(() => {
        worker.resume();
        this.answer(data);
      }, handshakeDelay);
    });
    for (const socket of [master, worker]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.ended = true;
        if (socket === master || this.held !== 'both') this.dialled();
        this.finish();
      });
    }
  }

  get heldBytes(): number {
    return this.toWorker.reduce((sum, { length }) => sum + length, 0);
  }

  hold(what: Held): void {
    this.held = what;
  }

  release(): void {
    this.held = 'nothing';
    for (const data of this.toWorker.splice(0)) pass(data, this.master, this.worker);
    for (const data of this.toMaster.splice(0)) this.answer(data);
    this.finish();
  }

  /** Forwards only a part of the next data of the worker, so that its last frame arrives incomplete, and resets the connection then. */
  tear(): void {
    this.tears = true;
  }

  reset(): void {
    this.held = 'nothing';
    this.master.resetAndDestroy();
    this.worker.resetAndDestroy();
  }

  private answer(data: Buffer): void {
    if (this.held === 'both') {
      this.toMaster.push(data);
      return;
    }
    if (this.tears) {
      this.master.write(data.subarray(0, data.length >> 1), () => this.reset());
      this.worker.destroy();
      return;
    }
    pass(data, this.worker, this.master);
    this.dialled();
  }

  /** If one side closes, the other one learns of it, unless everything is held back. */
  private finish(): void {
    if (!this.ended || this.held === 'both') return;
    if (this.master.closed && this.worker.closed) this.onClosed();
    else for (const socket of [this.master, this.worker]) socket.destroySoon();
  }
}

/** Forwards data. If one side sends faster than the other reads, it has to wait. */
function pass(data: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(data)) return;
  from.pause();
  to.once('drain', () => from.resume());
}
