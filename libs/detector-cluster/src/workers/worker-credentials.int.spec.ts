import { createCertificate, tempDirectory, type Certificate } from '@detector-cluster/dev-services';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { until } from '../../../../test/support/until.js';
import { DetectorConnection } from './detector-connection.js';
import { DialLimiter } from './dial-limiter.js';
import { FrameInbox } from './frame-inbox.js';
import { WorkerCredentials, withoutUserInfo, type WorkerTls } from './worker-credentials.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TOKEN = 'hunter2-token';
const report = JSON.stringify({ type: 'stateReport', cpuUsage: 1, memoryUsage: 2, cameraConnections: [] });

describe('credentials of a worker', () => {
  let server: Server;
  let sockets: WebSocketServer;
  let authority: Certificate;
  let client: Certificate;
  let stranger: Certificate;
  let admit: (authorization: string | undefined, hasCertificate: boolean) => boolean;
  const connections: DetectorConnection[] = [];

  beforeAll(async () => {
    [authority, client, stranger] = (await Promise.all(
      ['authority', 'client', 'stranger'].map(async (name) => createCertificate(await tempDirectory(name))),
    )) as [Certificate, Certificate, Certificate];
    server = createServer({
      cert: authority.ca,
      key: authority.key,
      ca: client.ca,
      requestCert: true,
      rejectUnauthorized: false,
    });
    sockets = new WebSocketServer({
      server,
      verifyClient: ({ req }: { req: IncomingMessage }) =>
        admit(req.headers.authorization, (req.socket as TLSSocket).authorized),
    });
    sockets.on('connection', (socket, request) => {
      socket.send(report);
      // The worker repeats the received text. The log must not.
      socket.on('message', () => socket.close(1008, `no more of ${request.headers.authorization}`));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.terminate();
    // A connection that was refused dials again, and its request may be on the way.
    await until(async () => (await promisify(server.getConnections.bind(server))()) === 0);
  });
  afterAll(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** The first result of dialling: a report or the error. */
  async function dial(token: string | undefined, tls: WorkerTls, userInfo = '') {
    const url = `wss://${userInfo}localhost:${(server.address() as AddressInfo).port}`;
    const connection = new DetectorConnection({
      url: withoutUserInfo(url),
      credentials: WorkerCredentials.of(url, token, tls),
      nodeId: 'n1',
      term: 1,
      mayAct: () => true,
      dialLimiter: new DialLimiter(),
      inbox: new FrameInbox(),
      nextConnectionNumber: () => 1,
      onDetection: () => undefined,
    });
    connections.push(connection);
    const end = new Promise<string>((resolve) => {
      connection.on('report', () => resolve('report'));
      connection.on('socketError', ({ message }) => resolve(message));
    });
    const closing = new Promise<string>((resolve) => connection.on('disconnected', resolve));
    connection.initialize();
    return { end: await end, closing };
  }

  it('a token is in the upgrade request, and what the worker repeats of it is masked', async () => {
    admit = (authorization) => authorization === `Bearer ${TOKEN}`;
    const { end, closing } = await dial(TOKEN, { ca: authority.ca });
    expect(end).toBe('report');
    expect(await closing).toBe('closed with code 1008: no more of Bearer ***');
    expect((await dial('another', { ca: authority.ca })).end).toBe('Unexpected server response: 401');
    expect((await dial(undefined, { ca: authority.ca })).end).toBe('Unexpected server response: 401');
  });

  it('user name and password of the URL are basic authentication, decoded', async () => {
    const basic = `Basic ${Buffer.from('us:er:p@ss/wörd').toString('base64')}`;
    admit = (authorization) => authorization === basic;
    const { end, closing } = await dial(undefined, { ca: authority.ca }, 'us%3Aer:p%40ss%2Fw%C3%B6rd@');
    expect(end).toBe('report');
    expect(await closing).toBe('closed with code 1008: no more of Basic ***');
  });

  it('a client certificate is presented', async () => {
    admit = (_authorization, hasCertificate) => hasCertificate;
    const shown = { ca: authority.ca, cert: client.ca, key: client.key };
    expect((await dial(undefined, shown)).end).toBe('report');
    expect((await dial(undefined, { ca: authority.ca })).end).toBe('Unexpected server response: 401');
    const other = { ca: authority.ca, cert: stranger.ca, key: stranger.key };
    expect((await dial(undefined, other)).end).toBe('Unexpected server response: 401');
  });

  it('a worker without a trusted certificate gets no token', async () => {
    const seen: unknown[] = [];
    admit = (authorization) => seen.push(authorization) > 0;
    expect((await dial(TOKEN, {})).end).toMatch(/self-signed certificate/);
    expect((await dial(TOKEN, { ca: stranger.ca })).end).toMatch(/certificate/);
    expect(seen).toEqual([]);
  });
});
