// A worker that holds subscriptions and reports like any other, and on demand sends far more than it should. PORT is the port of the
// process itself, which returns the worker's port at / and takes the kind of the flood at /flood/<kind>.
import {
  encodeWorkerMessage,
  parseWorkerCommand,
  type CameraConnection,
} from '@detector-cluster/worker-protocol';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { FLOODS, type Flood } from './flood-kinds.js';

const { PORT = '0', DETECTIONS_PER_SECOND = '0' } = process.env;
const REPORT_INTERVAL = 2_000;
const TICK = 10;
/** Frames are sent while the kernel has taken all but so many bytes. */
const MAX_BUFFERED = 8 * 1024 * 1024;
const GARBAGE = Buffer.alloc(1024 * 1024, 'a');
/** Whole frames of one byte each, as the server of a WebSocket sends them. To send them one by one would cost the processor of the others. */
const TINY = Buffer.alloc(3 * 20_000, Uint8Array.of(0x81, 1, 0x78));

let flood: Flood | 'none' = 'none';
const held = new Map<string, CameraConnection>();
const sequences = new Map<string, number>();

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
/** What is below the WebSocket of the last connection. */
let stream: Socket | undefined;
const server = createServer().listen(0, '127.0.0.1');
server.on('upgrade', (request, socket: Socket, head) => {
  stream = socket;
  sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
});
await once(server, 'listening');

const report = (socket: WebSocket) =>
  socket.send(
    encodeWorkerMessage({
      type: 'stateReport',
      cpuUsage: 10,
      memoryUsage: 10,
      cameraConnections: [...held.values()],
    }),
  );

sockets.on('connection', (socket) => {
  socket.on('error', () => undefined);
  report(socket);
  socket.on('message', (frame: Buffer) => {
    const parsed = parseWorkerCommand(frame);
    if (!parsed.ok) throw new Error(`the master sent an invalid command: ${parsed.detail}`);
    const { command } = parsed;
    if (command.type === 'subscribe') {
      const { subscriptionIdentifier, modelId, modelName } = command.payload;
      held.set(subscriptionIdentifier, { subscriptionIdentifier, modelId, modelName, online: true });
    } else if (command.type === 'unsubscribe') held.delete(command.payload.subscriptionIdentifier);
    else if (command.type === 'requestState') report(socket);
  });
});
setInterval(() => sockets.clients.forEach(report), REPORT_INTERVAL);

function detect(socket: WebSocket): void {
  for (const { subscriptionIdentifier, modelId, modelName } of held.values()) {
    const sequence = (sequences.get(subscriptionIdentifier) ?? 0) + 1;
    sequences.set(subscriptionIdentifier, sequence);
    const timestamp = new Date().toISOString();
    const data = { detection: { sequence, carBrand: 'Honda' }, modelId, modelName };
    socket.send(encodeWorkerMessage({ type: 'imageDetection', subscriptionIdentifier, timestamp, data }));
  }
}

let due = 0;
setInterval(() => {
  const [socket] = [...sockets.clients].slice(-1);
  if (socket === undefined) return;
  due += (Number(DETECTIONS_PER_SECOND) * TICK * (flood === 'detections' ? FLOODS.detections : 1)) / 1_000;
  for (; due >= 1; due--) if (socket.bufferedAmount < MAX_BUFFERED) detect(socket);
  if (flood === 'garbage')
    while (socket.bufferedAmount < MAX_BUFFERED) socket.send(GARBAGE, { binary: false });
  if (flood === 'tiny') while (socket.bufferedAmount < MAX_BUFFERED) stream!.write(TINY);
}, TICK);

createServer((request, response) => {
  const kind = /^\/flood\/(.+)$/.exec(request.url ?? '')?.[1];
  if (kind !== undefined) flood = kind as Flood | 'none';
  response.end(JSON.stringify([(server.address() as AddressInfo).port]));
}).listen(Number(PORT), '127.0.0.1');
