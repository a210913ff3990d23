import { Injectable } from '@nestjs/common';
import type { WebSocket } from 'ws';
import type { MasterIdentity } from './connection-admission.js';

const OPEN = 1;

/** One socket of a master. */
export class MasterConnection {
  readonly openedAt = new Date().toISOString();

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

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  send(frame: string): void {
    this.socket.send(frame);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }
}

/** The sockets of masters, from their upgrade until their close event. */
@Injectable()
export class ConnectionRegistry {
  readonly #connections = new Map<WebSocket, MasterConnection>();
  #accepted = 0;

  get size(): number {
    return this.#connections.size;
  }

  add(socket: WebSocket, { confirms, masterId, term }: MasterIdentity): MasterConnection {
    const connection = new MasterConnection(socket, ++this.#accepted, term, masterId, confirms);
    this.#connections.set(socket, connection);
    return connection;
  }

  get(socket: WebSocket): MasterConnection | undefined {
    return this.#connections.get(socket);
  }

  remove(socket: WebSocket): void {
    this.#connections.delete(socket);
  }

  all(): readonly MasterConnection[] {
    return [...this.#connections.values()];
  }

  /** The master that rules: highest term, and of several sockets with that term the newest. */
  current(): MasterConnection | undefined {
    let best: MasterConnection | undefined;
    // In order of acceptance, so a later one wins a tie.
    for (const connection of this.#connections.values())
      if (connection.isOpen && (best === undefined || connection.term >= best.term)) best = connection;
    return best;
  }
}
