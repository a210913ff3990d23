import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';

/** How long requests that are in progress at the end may take. Milliseconds. */
export const DRAIN_TIMEOUT = 3_000;

/** How much longer than it may be idle a connection may wait for the head of its next request. Milliseconds. */
const HEAD_TIMEOUT = 5_000;

/**
 * Express whose end has a limit. At the end, connections without a request in progress are closed at once: idle ones, silent ones, and
 * those with half a head. The others are closed with their answer, or after `drainTimeout`.
 */
export class DrainingAdapter extends ExpressAdapter {
  /** How many requests of a connection are in progress. */
  private readonly requests = new Map<Socket, number>();
  private draining = false;

  /**
   * @param keepAliveTimeout how long a connection may be idle; longer than proxies keep it, so that the server never closes first.
   * Milliseconds.
   */
  constructor(
    private readonly keepAliveTimeout: number,
    private readonly drainTimeout = DRAIN_TIMEOUT,
  ) {
    super();
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    const server = this.getHttpServer() as Server;
    server.keepAliveTimeout = this.keepAliveTimeout;
    server.headersTimeout = this.keepAliveTimeout + HEAD_TIMEOUT;
    server.requestTimeout = Math.max(server.requestTimeout, server.headersTimeout);
    server.on('connection', (socket) => this.track(socket));
    // Before Express, which may answer at once.
    server.prependListener('request', ({ socket }, response) => this.count(socket, response));
  }

  override async close(): Promise<void> {
    this.draining = true;
    const closed = super.close();
    for (const [socket, requests] of this.requests) if (requests === 0) socket.destroy();
    const timer = setTimeout(() => {
      for (const socket of this.requests.keys()) socket.destroy();
    }, this.drainTimeout);
    await closed;
    clearTimeout(timer);
  }

  /** A socket comes again with each request that offers another protocol than WebSocket. */
  private track(socket: Socket): void {
    if (this.requests.has(socket)) return;
    this.requests.set(socket, 0);
    socket.once('close', () => this.requests.delete(socket));
  }

  private count(socket: Socket, response: ServerResponse): void {
    this.add(socket, 1);
    if (this.draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      if (this.add(socket, -1) === 0 && this.draining) socket.destroySoon();
    });
  }

  private add(socket: Socket, change: number): number {
    const requests = (this.requests.get(socket) ?? 0) + change;
    if (!socket.destroyed) this.requests.set(socket, requests);
    return requests;
  }
}
