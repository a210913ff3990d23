import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A proxy in front of a worker. It forwards everything in both directions, and records when subscribe commands pass. */
export class WorkerTap {
  private readonly waiting = new Map<string, (time: number) => void>();

  private constructor(
    private readonly server: WebSocketServer,
    private readonly workerUrl: string,
  ) {
    server.on('connection', (master, request) => this.join(master, request.headers));
  }

  static async start(workerUrl: string): Promise<WorkerTap> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await once(server, 'listening');
    return new WorkerTap(server, workerUrl);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves with the time at which this subscription was sent to the worker, on the clock of `performance.now()`. */
  subscribed(subscriptionIdentifier: string): Promise<number> {
    return new Promise((resolve) => this.waiting.set(subscriptionIdentifier, resolve));
  }

  close(): void {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  private join(master: WebSocket, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    const passed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith('x-') || name === 'authorization'),
    );
    const worker = new WebSocket(this.workerUrl, {
      headers: passed as Record<string, string>,
      perMessageDeflate: false,
    });
    const early: string[] = [];
    master.on('message', (data) => {
      const text = String(data);
      this.note(text);
      if (worker.readyState === WebSocket.OPEN) worker.send(text);
      else early.push(text);
    });
    worker.on('open', () => early.splice(0).forEach((text) => worker.send(text)));
    worker.on('message', (data) => master.send(String(data)));
    for (const [one, other] of [
      [master, worker],
      [worker, master],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.terminate());
    }
  }

  private note(text: string): void {
    const now = performance.now();
    if (!text.includes('"subscribe"')) return;
    const { payload } = JSON.parse(text) as { payload?: { subscriptionIdentifier?: string } };
    const identifier = payload?.subscriptionIdentifier ?? '';
    this.waiting.get(identifier)?.(now);
    this.waiting.delete(identifier);
  }
}
