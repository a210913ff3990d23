import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.js';
import { closeRedis, commandSettings, openRedis } from './redis-connection.js';

/** A fatal alert, `decode_error`. After the handshake the client cannot decrypt it, which is an error as well. */
const ALERT = Buffer.from([0x15, 3, 3, 0, 2, 2, 50]);

describe('a TLS connection whose server sends an alert late', () => {
  let redisServer: RedisService;
  let proxy: Server | undefined;
  let redis: Redis;
  let errors: string[];

  beforeAll(async () => {
    redisServer = await startRedis({ tls: true });
  }, 60_000);
  afterAll(() => redisServer.stop());
  afterEach(() => {
    closeRedis(redis);
    proxy?.close();
  });

  /** Between the client and a real TLS server. */
  const between = async (meddle: (client: Socket, server: Socket) => void) => {
    proxy = createServer({ allowHalfOpen: true }, (client) => {
      const server = connect(redisServer.port, redisServer.host);
      for (const socket of [client, server]) socket.on('error', () => undefined);
      client.on('data', (chunk) => server.write(chunk));
      client.on('close', () => server.destroy());
      meddle(client, server);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    return (proxy.address() as AddressInfo).port;
  };
  const open = (port: number, ca?: string | Buffer) => {
    errors = [];
    redis = openRedis({ host: '127.0.0.1', port, tls: { ca } }, commandSettings, ({ message }) =>
      errors.push(message),
    );
  };

  it('outlives an alert and a reset after the connection was given up', async () => {
    let errors = 0;
    const port = await between((client, server) => {
      server.on('data', (chunk) => client.write(chunk));
      client.on('end', () => {
        client.write(ALERT);
        setTimeout(() => {
          errors++;
          client.resetAndDestroy();
        }, 20);
      });
    });
    open(port, redisServer.ca);
    await redis.ping().catch(() => undefined);
    await eventually('ready', 5_000, () => redis.status === 'ready');
    closeRedis(redis);
    await eventually('the reset', 5_000, () => errors === 1);
    await sleep(100);
    expect(await redisServerAnswers()).toBe('PONG');
  }, 20_000);

  it('outlives an alert that comes with a certificate that it refuses', async () => {
    const port = await between((client, server) =>
      server.on('data', (chunk) => client.write(Buffer.concat([chunk, ALERT]))),
    );
    open(port);
    await eventually('three attempts', 10_000, () => errors.length >= 3);
    expect(errors[0]).toMatch(/self-signed/);
  }, 20_000);

  const redisServerAnswers = async () => {
    const { host, port, ca } = redisServer;
    const other = openRedis({ host, port, tls: { ca } }, { ...commandSettings, enableOfflineQueue: true });
    try {
      return await other.ping();
    } finally {
      closeRedis(other);
    }
  };
});
