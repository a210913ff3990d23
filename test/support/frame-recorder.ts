import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer, type RawData } from 'ws';

/** Stands between a master and a worker that announces this boot, passes on every frame as it is, and keeps them. */
export class FrameRecorder {
  /** Text frames in the order of their arrival. */
  readonly fromMaster: string[] = [];
  readonly fromWorker: string[] = [];
  /** Headers of each upgrade request. */
  readonly upgrades: Record<string, unknown>[] = [];

  private constructor(
    private readonly server: WebSocketServer,
    readonly url: string,
  ) {}

  static async start(workerUrl: string, boot: string): Promise<FrameRecorder> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const recorder = new FrameRecorder(server, `ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('headers', (headers) => headers.push(`x-detector-boot: ${boot}`));
    server.on('connection', (master, { headers }) => {
      recorder.upgrades.push(headers);
      const { 'x-detector-term': term, 'x-detector-master': id, 'x-detector-confirms': confirms } = headers;
      const worker = new WebSocket(workerUrl, {
        headers: {
          'x-detector-term': String(term),
          'x-detector-master': String(id),
          'x-detector-confirms': String(confirms),
        },
      });
      const early: RawData[] = [];
      master.on('message', (data) => {
        recorder.fromMaster.push(String(data));
        if (worker.readyState === WebSocket.OPEN) worker.send(String(data));
        else early.push(data);
      });
      worker.on('open', () => early.splice(0).forEach((data) => worker.send(String(data))));
      worker.on('message', (data) => {
        recorder.fromWorker.push(String(data));
        master.send(String(data));
      });
      worker.on('close', () => master.terminate());
      worker.on('error', () => master.terminate());
      master.on('close', () => worker.terminate());
    });
    return recorder;
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
