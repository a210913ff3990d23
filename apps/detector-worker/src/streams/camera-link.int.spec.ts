import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { subscribePayload } from '../fixtures/subscribe-payload.fixture.js';
import { TestWorker } from '../fixtures/test-worker.fixture.js';
import { until } from '../fixtures/until.fixture.js';

/** A camera that answers every question as RTSP cameras do. */
const rtspCamera = () =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('RTSP/1.0 401 Unauthorized\r\n\r\n'));
  });

/** A camera that sends something again and again. */
const httpCamera = (status: number) =>
  createHttpServer((_request, response) => {
    response.writeHead(status).write('a frame');
    const timer = setInterval(() => response.write('a frame'), 100);
    response.on('close', () => clearInterval(timer));
  });

/** Something else that answers. */
const noCamera = () =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('220 mail\r\n'));
  });

const subscribe = (id: string, rtspUrl: string) => ({
  type: 'subscribe' as const,
  payload: subscribePayload(id, { rtspUrl }),
});

describe('cameras', { timeout: 60_000 }, () => {
  let worker: TestWorker;
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;

  const listen = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      opened++;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  afterEach(async () => {
    await worker.stop();
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) server.close();
    opened = 0;
  });

  it('are online while they answer, and are left out if no camera can have the address', async () => {
    worker = await TestWorker.startQuiet({ OPEN_CAMERAS: 'on', DETECTIONS_PER_SECOND: '50' });
    const dead = await listen(createServer());
    servers.pop()!.close();
    const [rtsp, http, refusing, mail] = [
      await listen(rtspCamera()),
      await listen(httpCamera(200)),
      await listen(httpCamera(404)),
      await listen(noCamera()),
    ];
    const master = await worker.connect(1);
    master.send(
      subscribe('d;rtsp', `rtsp://viewer:s3cret@127.0.0.1:${rtsp}/main`),
      subscribe('d;http', `http://viewer:s3cret@127.0.0.1:${http}/main`),
      subscribe('d;refusing', `http://127.0.0.1:${refusing}/main`),
      subscribe('d;mail', `rtsp://127.0.0.1:${mail}/main`),
      subscribe('d;dead', `rtsp://127.0.0.1:${dead}/main`),
      subscribe('d;file', 'file:///etc/hostname'),
      subscribe('d;text', 'no address'),
    );
    const online = async () => {
      await master.held();
      const rows = master.reports.at(-1)!.cameraConnections;
      return Object.fromEntries(rows.map((row) => [row.subscriptionIdentifier, row.online]));
    };
    await until('the cameras that answer', async () => {
      const rows = await online();
      return rows['d;rtsp'] && rows['d;http'];
    });
    expect(await online()).toEqual({
      'd;rtsp': true,
      'd;http': true,
      'd;refusing': false,
      'd;mail': false,
      'd;dead': false,
    });
    await until(
      'detections',
      () => master.sequences('d;rtsp').length > 0 && master.sequences('d;http').length > 0,
    );
    expect(master.sequences('d;dead')).toEqual([]);
    expect((await worker.fetch('/camera/d%3Bdead/image')).status).toBe(404);
  });

  it('that stop are offline until they answer again, and end with their last subscription', async () => {
    worker = await TestWorker.startQuiet({ OPEN_CAMERAS: 'on' });
    const port = await listen(rtspCamera());
    const master = await worker.connect(1);
    const camera = subscribe('d;c', `rtsp://127.0.0.1:${port}/main`);
    const isOnline = async () => {
      await master.held();
      return master.reports.at(-1)!.cameraConnections[0]!.online;
    };
    master.send(camera);
    await until('the camera', isOnline);
    for (const socket of sockets) socket.destroy();
    await until('another connection', () => opened === 2);
    await until('the camera again', isOnline);
    master.send({ type: 'unsubscribe', payload: { subscriptionIdentifier: 'd;c' } });
    await until('the end of the stream', () => sockets.size === 0);
    expect(opened).toBe(2);
  });

  it('are imagined, and online, by default', async () => {
    worker = await TestWorker.startQuiet();
    const master = await worker.connect(1);
    master.send(subscribe('d;c', 'rtsp://127.0.0.1:9/main'), subscribe('d;file', 'file:///etc/hostname'));
    expect(await master.held()).toEqual(['d;c']);
    expect(master.reports.at(-1)!.cameraConnections[0]!.online).toBe(true);
  });
});
