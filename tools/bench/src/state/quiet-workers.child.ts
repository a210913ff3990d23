// Workers that hold what they are told to hold and report it every two seconds, as real ones do, but detect nothing.
// `node <file> <count>`; tells its parent their URLs.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  encodeWorkerMessage,
  parseWorkerCommand,
  STATE_REPORT_INTERVAL_MS,
  type CameraConnection,
  type StateReportMessage,
} from '@detector-cluster/worker-protocol';

class QuietWorker {
  private readonly held = new Map<string, CameraConnection>();

  constructor(private readonly server: WebSocketServer) {
    server.on('connection', (socket) => {
      this.report(socket);
      socket.on('message', (frame: Buffer) => this.obey(socket, frame));
    });
    // Not all at the same instant.
    const timer = () => this.server.clients.forEach((socket) => this.report(socket));
    setTimeout(() => setInterval(timer, STATE_REPORT_INTERVAL_MS), Math.random() * STATE_REPORT_INTERVAL_MS);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private obey(socket: WebSocket, frame: Buffer): void {
    const parsed = parseWorkerCommand(frame);
    if (!parsed.ok) throw new Error(`the master sent an invalid command: ${parsed.detail}`);
    const { command } = parsed;
    if (command.type === 'subscribe') {
      const { subscriptionIdentifier, modelId, modelName } = command.payload;
      this.held.set(subscriptionIdentifier, { subscriptionIdentifier, modelId, modelName, online: true });
    } else if (command.type === 'unsubscribe') this.held.delete(command.payload.subscriptionIdentifier);
    else if (command.type === 'requestState') this.report(socket);
  }

  private report(socket: WebSocket): void {
    const report: StateReportMessage = {
      type: 'stateReport',
      cpuUsage: 30 + 10 * Math.random(),
      memoryUsage: 40 + Math.random(),
      gpuUsage: 50 + 10 * Math.random(),
      gpuMemoryUsage: 45,
      cameraConnections: [...this.held.values()],
    };
    socket.send(encodeWorkerMessage(report));
  }
}

const urls = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await once(server, 'listening');
    return new QuietWorker(server).url;
  }),
);
process.on('disconnect', () => process.exit());
process.send!(urls);
