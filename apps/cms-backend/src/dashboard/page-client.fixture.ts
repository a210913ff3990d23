import { once } from 'node:events';
import {
  applyChanges,
  DASHBOARD_PATH,
  DASHBOARD_PROTOCOL,
  type ClusterLabel,
  type DashboardMessage,
  type DashboardView,
  type DetectionItem,
  type EventItem,
  type WelcomeMessage,
  unpackSubscriptions,
} from '@detector-cluster/dashboard-protocol';
import { WebSocket, type ClientOptions } from 'ws';

/** Keeps its view up to date with the messages of the service, as the page does. */
export class PageClient {
  caller: WelcomeMessage['data'] | null = null;
  view: DashboardView | null = null;
  /** The view after each message, by its `seq`. */
  readonly history = new Map<number, DashboardView | null>();
  readonly events: EventItem[] = [];
  readonly detections: DetectionItem[] = [];
  readonly closed: Promise<number>;
  servedBy = '';
  cluster: ClusterLabel | null = null;
  seq = 0;
  messages = 0;
  skippedDetections = 0;
  /** Messages whose `seq` did not follow that of the message before. */
  gaps = 0;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('message', (frame: Buffer) => {
      const message = JSON.parse(String(frame)) as WelcomeMessage | DashboardMessage;
      if (message.event === 'welcome') this.caller = message.data;
      else this.take(message);
    });
  }

  /** @param hello null: it sends nothing */
  static async open(url: string, hello: unknown = greeting(), options?: ClientOptions): Promise<PageClient> {
    const socket = new WebSocket(url.replace(/^http/, 'ws') + DASHBOARD_PATH, options);
    const page = new PageClient(socket);
    await once(socket, 'open');
    if (hello !== null) socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello));
    return page;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  private take({ event, data }: DashboardMessage): void {
    this.messages++;
    if (event === 'snapshot') {
      this.view = data.view;
      this.servedBy = data.servedBy;
      this.cluster = data.cluster ?? null;
    } else if (event === 'subscriptions') {
      if (data.seq !== this.seq || this.view === null) this.gaps++;
      else this.view = { ...this.view, subscriptions: unpackSubscriptions(data.subscriptions) };
    } else {
      if (data.seq !== this.seq + 1 || this.view === null) this.gaps++;
      else if (data.changes !== undefined) this.view = applyChanges(this.view, data.changes);
      this.skippedDetections += data.skippedDetections ?? 0;
    }
    this.seq = data.seq;
    this.history.set(data.seq, this.view);
    if (event === 'subscriptions') return;
    this.events.push(...(data.events ?? []));
    this.detections.push(...(data.detections ?? []));
  }
}

export function greeting(apiKey: string | null = null) {
  return { event: 'hello', data: { version: DASHBOARD_PROTOCOL, apiKey } };
}

/** The HTTP status with which a connection is refused. */
export async function refusal(url: string, options: ClientOptions): Promise<number> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + DASHBOARD_PATH, options);
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}
