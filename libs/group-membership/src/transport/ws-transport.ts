import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { AddressInUseError } from './join.error.js';
import type { GroupMessage, Receive, Transport } from './message.js';
import { FRAME_FAULTS, type FrameFault } from './frame-codec.js';
import { parseAddress, type ResolvedWsOptions } from './ws-options.js';
import { WsLink } from './ws-link.js';

/** How long pending messages may take to be sent when a member leaves. Milliseconds. */
const FLUSH = 300;

/** How long a peer may take to confirm the close of a connection. Milliseconds. */
const GOODBYE = 200;

/** Maximum number of accepted connections at a time. */
const MAX_CONNECTIONS = 4_096;

/**
 * Messages over WebSockets. One connection serves both directions between two members. The transport opens it on demand and closes
 * it when no frames arrive.
 */
export class WsTransport implements Transport {
  /** Frames that were dropped, by reason. */
  readonly faults = Object.fromEntries(FRAME_FAULTS.map((fault) => [fault, 0])) as Record<FrameFault, number>;
  private readonly all = new Set<WsLink>();
  private readonly byAddress = new Map<string, WsLink>();
  private readonly addressOf = new Map<WsLink, string>();
  private readonly warned = new Set<string>();
  private server: Server | undefined;
  private sweeper: NodeJS.Timeout | undefined;
  private receive: Receive = () => undefined;

  constructor(
    private readonly options: ResolvedWsOptions,
    private readonly group: string,
    private readonly warn: (message: string) => void,
  ) {}

  async open(receive: Receive): Promise<string> {
    const { tls, listen, maxPayload, internalAddress, idleTimeout } = this.options;
    const { host, port } = parseAddress(internalAddress)!;
    const server = tls
      ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true })
      : createServer();
    server.maxConnections = MAX_CONNECTIONS;
    // Only WebSockets are served here.
    server.on('request', (_request, response) => response.writeHead(426).end());
    const sockets = new WebSocketServer({ server, maxPayload, perMessageDeflate: false });
    sockets.on('error', () => undefined);
    sockets.on('connection', (socket, request) => this.accept(socket, request));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? new AddressInUseError(internalAddress, null) : error),
      );
      server.listen({ host: listen ? listen.host : host, port: listen?.port ?? port }, () => resolve());
    });
    server.on('error', (error) => this.warn(`the group's server failed: ${error.message}`));
    this.server = server;
    this.receive = receive;
    this.sweeper = setInterval(() => this.sweep(), idleTimeout / 3);
    if (port !== 0) return internalAddress;
    return internalAddress.replace(/:0$/, `:${(server.address() as AddressInfo).port}`);
  }

  send(address: string, message: GroupMessage, unreachable?: (error: Error) => void): void {
    if (!this.server) return;
    const link = this.byAddress.get(address) ?? this.dial(address, unreachable);
    link?.send(message);
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const deadline = performance.now() + FLUSH;
    while (performance.now() < deadline && [...this.all].some((link) => !link.idle)) await sleep(5);
    this.server = undefined;
    this.receive = () => undefined;
    clearInterval(this.sweeper);
    for (const link of this.all) link.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const timer = new AbortController();
    await Promise.race([closed, sleep(GOODBYE, undefined, timer).catch(() => undefined)]);
    timer.abort();
    for (const link of this.all) link.terminate();
    server.closeAllConnections();
    await closed;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.all.size;
  }

  private accept(socket: WebSocket, request: IncomingMessage): void {
    const nonce = /[?&]n=([0-9a-f]{32})(?:&|$)/.exec(request.url ?? '')?.[1];
    if (!nonce || !this.server) {
      socket.on('error', () => undefined);
      if (!nonce) this.fault('malformed', request.socket.remoteAddress ?? '');
      return socket.close(1008);
    }
    const from = request.socket.remoteAddress ?? '';
    this.all.add(new WsLink('listener', nonce, this.linkOptions(socket, from)));
  }

  private dial(address: string, unreachable?: (error: Error) => void): WsLink | undefined {
    const place = parseAddress(address);
    if (!place) return undefined;
    const { tls, dial, dialTimeout, maxPayload } = this.options;
    const nonce = randomBytes(16).toString('hex');
    const settings: ClientOptions = {
      perMessageDeflate: false,
      handshakeTimeout: dialTimeout,
      maxPayload,
      ...tls,
      ...(dial && { createConnection: (() => dial(place.host, place.port)) as () => Socket }),
    };
    const socket = new WebSocket(`${tls ? 'wss' : 'ws'}://${address}/?n=${nonce}`, settings);
    const link = new WsLink('dialler', nonce, this.linkOptions(socket, address));
    let reason = new Error(`${address} closed the connection`);
    socket.once('error', (error) => (reason = error));
    socket.once('close', () => {
      if (!link.opened) this.dialFailed(address, reason, unreachable);
    });
    this.all.add(link);
    this.name(link, address);
    return link;
  }

  private dialFailed(address: string, error: NodeJS.ErrnoException, unreachable?: (error: Error) => void) {
    const { code = '' } = error;
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
      this.warnOnce(
        `tls ${address}`,
        `the member at ${address} is not trusted (${code}): check tls.ca and tls.cert`,
      );
    unreachable?.(error);
  }

  private linkOptions(socket: WebSocket, peer: string) {
    const { secret, abuseLimit } = this.options;
    return {
      socket,
      group: this.group,
      secret,
      abuseLimit,
      received: (message: GroupMessage, link: WsLink) => {
        this.useful(link, message.from.address);
        this.receive(message, (answer) => link.send(answer));
      },
      fault: (fault: FrameFault) => this.fault(fault, peer),
      ended: (link: WsLink) => this.remove(link),
    };
  }

  /** From now on messages to this address use this connection. */
  private name(link: WsLink, address: string): void {
    this.byAddress.set(address, link);
    this.addressOf.set(link, address);
  }

  /** If two members have dialled each other at once, they converge to one of the connections. The other becomes idle. */
  private useful(link: WsLink, address: string): void {
    const named = this.byAddress.get(address);
    if (!named || named.lastHeard < link.lastHeard - this.options.idleTimeout / 3) this.name(link, address);
  }

  private remove(link: WsLink): void {
    this.all.delete(link);
    const address = this.addressOf.get(link);
    this.addressOf.delete(link);
    if (address !== undefined && this.byAddress.get(address) === link) this.byAddress.delete(address);
  }

  private sweep(): void {
    const { idleTimeout } = this.options;
    const now = performance.now();
    for (const link of this.all) {
      const silent = now - link.lastHeard;
      if (silent < idleTimeout) continue;
      const address = this.addressOf.get(link);
      if (address !== undefined && this.byAddress.get(address) === link) this.byAddress.delete(address);
      // A live peer still receives the messages in flight.
      if (silent < idleTimeout * 2) link.close();
      else link.terminate();
    }
  }

  private fault(fault: FrameFault, peer: string): void {
    this.faults[fault]++;
    const hint = fault === 'forged' || fault === 'unsigned' ? ' (do all members have the same secret?)' : '';
    this.warnOnce(fault, `dropped a ${fault} frame from ${peer}${hint}; further ones are only counted`);
  }

  private warnOnce(key: string, message: string): void {
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.warn(message);
  }
}
