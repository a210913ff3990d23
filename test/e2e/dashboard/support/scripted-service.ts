import {
  applyChanges,
  CloseCode,
  type ClusterHistory,
  COLLECTIONS,
  DASHBOARD_PATH,
  type DashboardMessage,
  type DashboardView,
  type HistoryPoint,
  type HistoryRange,
  packSubscriptions,
  RESOLUTIONS,
  type Rows,
  type SnapshotMessage,
  type SubscriptionRow,
  TICK,
  type ViewChanges,
} from '@detector-cluster/dashboard-protocol';
import express from 'express';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { cameraPicture } from '../../../../apps/detector-worker/src/streams/scene.js';
import {
  dashboardFiles,
  dashboardFolder,
  securityHeaders,
} from '../../../../apps/cms-backend/src/dashboard/dashboard-files.js';

/** What the service says at first, and how it answers questions, by path. */
export interface Script {
  readonly view: Partial<DashboardView>;
  readonly events?: SnapshotMessage['data']['events'];
  readonly detections?: SnapshotMessage['data']['detections'];
  /** The service has no place for a page until {@link ScriptedService.makeRoom}. */
  readonly full?: boolean;
  /** A function answers by the query. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

type Query = Readonly<Record<string, unknown>>;

/** What a service answers that no test has scripted. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/api/cluster/history': ({ range }: Query) => historyOf(range as HistoryRange, [], []),
  '/api/cluster/events': { items: [], nextCursor: null },
  '/api/cluster/dead-letters': { items: [], nextCursor: null },
  '/api/playlists': { items: [], nextCursor: null },
  '/api/models': { items: [], nextCursor: null },
  '/api/detections/stats': { history: null },
};

/** A history whose last point is of now. */
export function historyOf(
  range: HistoryRange,
  workers: readonly string[],
  points: readonly Omit<HistoryPoint, 'at'>[],
): ClusterHistory {
  const { span, step } = RESOLUTIONS[range];
  const now = Date.now();
  return {
    range,
    from: new Date(now - span).toISOString(),
    to: new Date(now).toISOString(),
    step,
    workers,
    points: points.map((point, index) => ({
      ...point,
      at: new Date(now - (points.length - index) * step).toISOString(),
    })),
  };
}

const EMPTY = Object.fromEntries(COLLECTIONS.map((name) => [name, {}])) as unknown as DashboardView;

/**
 * Serves the built page as the reference service does, with its headers, and feeds it with what a test wants: what no
 * cluster of a test is large or strange enough for.
 */
export class ScriptedService {
  private view: DashboardView;
  private readonly seqs = new Map<WebSocket, number>();
  private full: boolean;
  private readonly ticking = setInterval(() => this.patch({}), TICK);

  private constructor(
    private readonly script: Script,
    private readonly server: Server,
    private readonly sockets: WebSocketServer,
  ) {
    this.view = { ...EMPTY, ...script.view };
    this.full = script.full ?? false;
    sockets.on('connection', (socket) => {
      socket.once('message', () => this.greet(socket));
      socket.once('close', () => this.seqs.delete(socket));
    });
  }

  static async start(script: Script): Promise<ScriptedService> {
    const app = express();
    app.use(securityHeaders, dashboardFiles(dashboardFolder()));
    app.get(
      '/api/cameras/:camera/image',
      ({ params, query }: express.Request, response: express.Response) => {
        const ofMoment = query.picture !== undefined && query.picture !== 'gone';
        response.setHeader('x-picture-of', ofMoment ? 'detection' : 'latest');
        response.type('jpeg').send(cameraPicture(String(params.camera)));
      },
    );
    app.get(
      '/api/detections/:detection/picture',
      ({ params }: express.Request, response: express.Response) => {
        response.setHeader('x-picture-of', 'detection');
        response.type('jpeg').send(cameraPicture(String(params.detection)));
      },
    );
    app.use(({ path, query }: express.Request, response: express.Response) => {
      const scripted = script.answers?.[path] ?? ANSWERS[path];
      const answer =
        typeof scripted === 'function' ? (scripted as (query: Query) => unknown)(query) : scripted;
      if (answer === undefined) response.status(404).json({ title: `nothing is scripted for ${path}` });
      else response.json(answer);
    });
    const server = createServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedService(script, server, new WebSocketServer({ server, path: DASHBOARD_PATH }));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Tells all pages what has changed. */
  change(changes: ViewChanges): void {
    this.view = applyChanges(this.view, changes);
    this.patch({ changes });
  }

  /** Tells all pages the subscriptions that a view without any left open. */
  sendSubscriptions(rows: Rows<SubscriptionRow>): void {
    this.view = { ...this.view, subscriptions: rows };
    const subscriptions = packSubscriptions(rows);
    for (const [socket, seq] of this.seqs)
      send(socket, { event: 'subscriptions', data: { seq, at: new Date().toISOString(), subscriptions } });
  }

  makeRoom(): void {
    this.full = false;
  }

  async stop(): Promise<void> {
    clearInterval(this.ticking);
    for (const socket of this.sockets.clients) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private greet(socket: WebSocket): void {
    if (this.full) {
      socket.close(CloseCode.full);
      return;
    }
    const { events = [], detections = [] } = this.script;
    const data = { seq: 0, at: new Date().toISOString(), servedBy: 'scripted', view: this.view };
    this.seqs.set(socket, 0);
    send(socket, { event: 'snapshot', data: { ...data, events, detections } });
  }

  private patch(data: { readonly changes?: ViewChanges }): void {
    for (const [socket, before] of this.seqs) {
      const seq = before + 1;
      this.seqs.set(socket, seq);
      send(socket, { event: 'patch', data: { seq, at: new Date().toISOString(), ...data } });
    }
  }
}

function send(socket: WebSocket, message: DashboardMessage): void {
  socket.send(JSON.stringify(message));
}
