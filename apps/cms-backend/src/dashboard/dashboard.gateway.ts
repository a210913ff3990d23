import type { IncomingMessage } from 'node:http';
import { CloseCode, DASHBOARD_PATH, DASHBOARD_PROTOCOL } from '@detector-cluster/dashboard-protocol';
import { type BeforeApplicationShutdown, Inject } from '@nestjs/common';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
} from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { Callers } from '../http/callers.js';
import { RateLimit } from '../http/rate-limit.js';
import { isKnownHost, isSameHost } from '../http/request-checks.js';
import { DashboardFeed } from './feed/dashboard-feed.js';
import type { Hello } from './hello.js';
import { Page } from './page.js';

/** Nest event under which every frame of a page arrives, readable or not. */
export const FRAME = 'frame';

/** How long a page may take to send `hello`. Milliseconds. */
const HELLO_TIMEOUT = 5_000;

/** How often the service pings a page, and how long the page has to answer. Milliseconds. */
const PING_INTERVAL = 10_000;

/** Maximum number of pages that one process feeds. Sockets without a `hello` do not count. */
export const MAX_PAGES = 100;

/** Maximum number of sockets that have not sent `hello`. A new one replaces the oldest, so that strangers cannot keep pages out. */
export const MAX_STRANGERS = 50;

const GOING_AWAY = 1001;

/** The endpoint for pages. It admits pages that send `hello` with the API key, and hands them to the {@link DashboardFeed}. */
@WebSocketGateway({ path: DASHBOARD_PATH })
export class DashboardGateway implements OnGatewayConnection, OnGatewayDisconnect, BeforeApplicationShutdown {
  private readonly pages = new Map<WebSocket, Page>();
  /** Pages without a `hello`, the oldest first. */
  private readonly strangers = new Set<Page>();
  private pinging: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly limit: RateLimit,
    private readonly callers: Callers,
    private readonly feed: DashboardFeed,
  ) {}

  /** The HTTP answer that refuses an upgrade, by its headers. Null: the page may connect. */
  async refusal(
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly reason: string } | null> {
    const { headers } = request;
    // Each socket is an attempt to guess a key.
    if (!(await this.limit.admits(request))) return { status: 429, reason: 'too many requests' };
    if (!isKnownHost(headers.host, this.config.http))
      return { status: 421, reason: 'this service is not known under this name' };
    if (this.callers.identify(request, '') === 'forged')
      return { status: 403, reason: 'only the trusted proxy names a user' };
    if (this.closed) return { status: 503, reason: 'shutting down' };
    // Browsers let any site open a WebSocket to any other, and send the origin of the page.
    if (!isSameHost(headers.origin, headers.host))
      return { status: 403, reason: 'the page must come from this service' };
    return null;
  }

  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    const page = new Page(socket, request);
    this.pages.set(socket, page);
    const [oldest] = this.strangers;
    if (oldest !== undefined && this.strangers.size >= MAX_STRANGERS) {
      this.strangers.delete(oldest);
      oldest.terminate();
    }
    this.strangers.add(page);
    // The socket closes after an error of its own.
    socket.on('error', () => undefined);
    socket.on('pong', () => (page.answers = true));
    const timer = setTimeout(() => {
      if (!page.greeted) page.close(CloseCode.badMessage, `no hello within ${HELLO_TIMEOUT / 1_000} s`);
    }, HELLO_TIMEOUT);
    socket.once('close', () => clearTimeout(timer));
    this.pinging ??= setInterval(() => this.ping(), PING_INTERVAL);
  }

  handleDisconnect(socket: WebSocket): void {
    const page = this.pages.get(socket);
    if (page === undefined) return;
    this.pages.delete(socket);
    this.strangers.delete(page);
    this.feed.leave(page);
    if (this.pages.size > 0) return;
    clearInterval(this.pinging);
    this.pinging = undefined;
  }

  @SubscribeMessage(FRAME)
  handleFrame(@ConnectedSocket() socket: WebSocket, @MessageBody() hello: Hello): void {
    const page = this.pages.get(socket);
    if (page === undefined) return;
    if (page.greeted) page.close(CloseCode.badMessage, 'a page says hello, once, and nothing else');
    else if (hello === null) page.close(CloseCode.badMessage, 'the first message must be a hello');
    else if (hello.apiKey === undefined)
      page.close(CloseCode.otherVersion, `this is version ${DASHBOARD_PROTOCOL}: load the page again`);
    else this.admit(page, this.callers.identify(page.request, hello.apiKey ?? ''));
  }

  private admit(page: Page, caller: ReturnType<Callers['identify']>): void {
    if (typeof caller === 'string') page.close(CloseCode.unauthorized, 'the API key is missing or wrong');
    else if (this.feed.pages >= MAX_PAGES)
      page.close(CloseCode.full, `this process feeds ${MAX_PAGES} pages`);
    else {
      this.strangers.delete(page);
      page.welcome({ name: caller.name, mayOperate: caller.role === 'operate' });
      this.feed.join(page);
    }
  }

  beforeApplicationShutdown(): void {
    this.closed = true;
    for (const page of this.pages.values()) page.close(GOING_AWAY, 'shutting down');
  }

  private ping(): void {
    for (const page of this.pages.values())
      if (page.answers) page.ping();
      else page.terminate();
  }
}
