import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DASHBOARD_PATH, TICK, type DashboardMessage } from '@detector-cluster/dashboard-protocol';
import type { Page, Response } from 'playwright-core';
import { WebSocketServer } from 'ws';

interface Answer {
  readonly type: string;
  readonly body: Buffer;
}

/** What a page receives from a service. */
export class Recording {
  private readonly messages: DashboardMessage[] = [];
  private readonly answers = new Map<string, Answer>();

  /** @param page opens the service after this call */
  constructor(page: Page) {
    page.on('response', (response) => void this.keep(response));
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) =>
        this.messages.push(JSON.parse(String(payload)) as DashboardMessage),
      ),
    );
  }

  private async keep(response: Response): Promise<void> {
    const body = await response.body().catch(() => null);
    const type = response.headers()['content-type'] ?? 'text/plain';
    if (body !== null && response.ok()) this.answers.set(new URL(response.url()).pathname, { type, body });
  }

  /**
   * Serves the same to other pages: first all that the page knew when the first patch came, then one patch per second, from the first to
   * the last and again. Without the cluster, the browser has the processors for itself, as on the machine of an operator.
   */
  async serve(): Promise<{ readonly url: string; stop(): void }> {
    const { answers, messages } = this;
    const begin = messages.filter(({ event }) => event !== 'patch');
    const patches = messages.filter(({ event }) => event === 'patch');
    const server = createServer(({ url }, response) => {
      const answer = answers.get(new URL(url!, 'http://localhost').pathname);
      response.writeHead(answer ? 200 : 404, { 'content-type': answer?.type ?? 'text/plain' });
      response.end(answer?.body);
    });
    const sockets = new WebSocketServer({ server, path: DASHBOARD_PATH });
    sockets.on('connection', (socket) => {
      let seq = 0;
      const send = ({ event, data }: DashboardMessage) =>
        socket.send(JSON.stringify({ event, data: { ...data, seq, at: new Date().toISOString() } }));
      socket.once('message', () => {
        begin.forEach(send);
        const timer = setInterval(() => {
          const patch = patches[seq % patches.length]!;
          seq++;
          send(patch);
        }, TICK);
        socket.once('close', () => clearInterval(timer));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      stop: () => {
        for (const socket of sockets.clients) socket.terminate();
        server.close();
        server.closeAllConnections();
      },
    };
  }
}
