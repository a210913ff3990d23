import { Injectable } from '@nestjs/common';
import type { WebSocket } from 'ws';
import type { MasterIdentity } from './connection-admission.js';
import { MasterConnection } from './master-connection.js';

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
