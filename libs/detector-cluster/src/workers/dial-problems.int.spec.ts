import { createCertificate, freePort, tempDirectory } from '@detector-cluster/dev-services';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { until } from '../../../../test/support/until.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import { resolveWorkers } from './worker-definition.js';
import { FlapWatch } from './flap-watch.js';
import { defaultWorkerLimits } from './worker-limits.js';
import { WorkerPool } from './worker-pool.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const statuses = [302, 400, 401, 403, 404, 409, 418, 426, 502, 503] as const;

describe('the problem of a worker without a connection', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const urls: Record<string, string> = {};
  let pool: WorkerPool;

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  beforeAll(async () => {
    const { ca: cert, key } = await createCertificate(await tempDirectory('dial-problems'));
    for (const status of statuses) {
      const server = createHttpServer();
      server.on('upgrade', (_request, socket) =>
        socket.end(`HTTP/1.1 ${status} No\r\nLocation: ws://x/\r\nContent-Length: 0\r\n\r\n`),
      );
      urls[status] = `ws://127.0.0.1:${await listen(server)}`;
    }
    const silent = await listen(createServer(() => undefined));
    urls.hangs = `ws://127.0.0.1:${silent}`;
    urls['hangs in TLS'] = `wss://127.0.0.1:${silent}`;
    urls.resets = `ws://127.0.0.1:${await listen(createServer((socket) => socket.resetAndDestroy()))}`;
    urls.ends = `ws://127.0.0.1:${await listen(createServer((socket) => socket.end()))}`;
    urls['no HTTP'] = `ws://127.0.0.1:${await listen(createServer((socket) => socket.end('220 smtp\r\n')))}`;
    const plain = createHttpServer((_request, response) => response.end());
    urls['no TLS'] = `wss://127.0.0.1:${await listen(plain)}`;
    const tls = createTlsServer({ cert, key });
    tls.on('tlsClientError', () => undefined);
    urls.untrusted = `wss://localhost:${await listen(tls)}`;
    urls.refused = `ws://127.0.0.1:${await freePort()}`;
    urls['no name'] = 'ws://no-such-worker.invalid:8000';
    const closing = createHttpServer();
    const upgrades = new WebSocketServer({ server: closing });
    upgrades.on('connection', (socket) => socket.close(1011, 'no GPU'));
    urls.closes = `ws://127.0.0.1:${await listen(closing)}`;

    const problems: string[] = [];
    const workers = resolveWorkers(Object.values(urls), problems, NetworkPolicy.default);
    expect(problems).toEqual([]);
    pool = new WorkerPool({
      workers,
      nodeId: 'n1',
      term: 1,
      mayAct: () => true,
      onDetection: () => undefined,
      limits: { silence: 10_000, eviction: 15_000 },
      flaps: new FlapWatch(),
      budget: defaultWorkerLimits,
      excessOf: () => null,
    });
    pool.start();
  });
  afterAll(async () => {
    pool.terminate();
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  it.each([
    ['302', 'refuses the upgrade with HTTP 302: redirections are not followed'],
    ['400', 'refuses the upgrade with HTTP 400: it does not take the request for an upgrade'],
    ['401', 'refuses the upgrade with HTTP 401: it wants other credentials'],
    ['403', 'refuses the upgrade with HTTP 403: it does not allow this master'],
    ['404', 'refuses the upgrade with HTTP 404: there is no WebSocket at this path'],
    ['409', 'refuses the upgrade with HTTP 409: it knows a master with a higher term'],
    ['418', 'refuses the upgrade with HTTP 418'],
    ['426', 'refuses the upgrade with HTTP 426: it wants another protocol'],
    ['502', 'refuses the upgrade with HTTP 502: a proxy does not reach it'],
    ['503', 'refuses the upgrade with HTTP 503: it is shutting down, or a proxy does not reach it'],
    ['hangs', 'upgrade hangs: it accepts the connection and does not answer'],
    ['hangs in TLS', 'upgrade hangs: it accepts the connection and does not answer'],
    ['resets', 'the connection was closed before it was a WebSocket (ECONNRESET)'],
    ['ends', 'the connection was closed before it was a WebSocket (ECONNRESET)'],
    ['no HTTP', /^it does not speak HTTP \(HPE_\w+\)$/],
    ['no TLS', /^it does not speak TLS as expected \((ERR_SSL_\w+|EPROTO)\)$/],
    ['untrusted', 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['refused', 'the connection is refused: no program listens there (ECONNREFUSED)'],
    ['no name', /^its name cannot be resolved/],
    ['closes', 'closed with code 1011: no GPU'],
  ])('says what is wrong: %s', async (name, problem) => {
    const state = () => [...pool.states('n1')].find(({ url }) => url === urls[name])!;
    await until(() => state().problem !== null);
    expect(state().problem).toEqual(
      typeof problem === 'string' ? problem : (expect.stringMatching(problem) as string),
    );
  });
});
