import type { WebSocket } from 'ws';

const OPEN = 1;

/** One socket of a master. */
export class MasterConnection {
  readonly openedAt = new Date().toISOString();
  /** Number of the last detection that was written to it; 0 for none. */
  written = 0;

  constructor(
    readonly socket: WebSocket,
    /** Rises with each connection this process accepted. */
    readonly number: number,
    /** 0 for a master that sent none. */
    readonly term: number,
    readonly masterId: string | null,
    /** Whether it confirms detections. */
    readonly confirms: boolean,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === OPEN;
  }
}
