import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { DASHBOARD_PROTOCOL } from '@detector-cluster/dashboard-protocol';
import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { DashboardGateway, FRAME } from './dashboard.gateway.js';
import { readHello } from './hello.js';

/** A page sends one short message. Bytes. */
const MAX_FRAME = 4 * 1024;

/** For how long a page may take to confirm that it is closed. Milliseconds. */
const CLOSE_TIMEOUT = 5_000;

/**
 * Long messages are compressed: the snapshot of a large cluster is many megabytes of JSON in which little differs from row to row. The
 * changes of each second are short, and no memory is kept between messages.
 */
const COMPRESSION = {
  threshold: 64 * 1024,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  zlibDeflateOptions: { level: 1 },
};

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
type Verdict = (accepted: boolean, status?: number, reason?: string) => void;

/** WebSockets on the port of the API, for the pages of the dashboard. */
export class DashboardWsAdapter extends WsAdapter {
  constructor(private readonly app: INestApplication) {
    super(app, {
      messageParser: (raw) => ({ event: FRAME, data: readHello(raw, DASHBOARD_PROTOCOL) }),
    });
  }

  override create(port: number, options: Parameters<WsAdapter['create']>[1] = {}): unknown {
    const gateway = this.app.get(DashboardGateway, { strict: false });
    return super.create(port, {
      ...options,
      maxPayload: MAX_FRAME,
      closeTimeout: CLOSE_TIMEOUT,
      perMessageDeflate: COMPRESSION,
      verifyClient: ({ req }: { req: IncomingMessage }, verdict: Verdict) => {
        void gateway.refusal(req).then((refusal) => {
          if (refusal === null) verdict(true);
          else verdict(false, refusal.status, refusal.reason);
        });
      },
    });
  }

  /** Only WebSockets are upgrades. The server ignores other offers. */
  protected override ensureHttpServerExists(port: number, httpServer?: Server): Server | undefined {
    const server = super.ensureHttpServerExists(port, httpServer);
    const listener = server?.listeners('upgrade').at(-1) as UpgradeListener | undefined;
    if (server === undefined || listener === undefined) return server;
    server.off('upgrade', listener);
    server.on('upgrade', (request, socket, head) => {
      if (request.headers.upgrade?.toLowerCase() === 'websocket') listener(request, socket, head);
      else serveWithoutUpgrade(server, request, socket, head);
    });
    return server;
  }

  /** An error of a page closes its socket, without a line in the log. */
  override bindErrorHandler(server: { on(event: 'error', listener: (error: Error) => void): void }): unknown {
    server.on('error', (error) => this.logger.error(error));
    return server;
  }
}

/** Headers that only request another protocol. */
const OF_UPGRADES = new Set(['upgrade', 'http2-settings', 'connection']);

/**
 * Serves a request that asks for a protocol other than WebSocket as a normal request. Some clients offer HTTP/2 with every
 * request, and a server may continue with HTTP/1.1. But as soon as a server handles upgrades, Node treats every offer as an
 * upgrade and reads no further.
 *
 * @param head bytes of the body, or of the next request, that were already read
 */
function serveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    if (!OF_UPGRADES.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
