import 'reflect-metadata';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, type INestApplication, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { DrainingAdapter } from './draining-adapter.js';

@Controller()
class Answers {
  @Get()
  get() {
    return 'answer';
  }

  @Post()
  post() {
    return 'stored';
  }
}

@Module({ controllers: [Answers] })
class App {}

const HEAD = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\n';
const HALF_A_BODY = `POST / HTTP/1.1\r\n${HEAD}Content-Length: 7\r\n\r\n{"a":`;

const closed = async (socket: Socket): Promise<void> => {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
};

describe('the HTTP server of the reference service', () => {
  let app: INestApplication;
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    return app.close();
  });

  async function start(drainTimeout?: number): Promise<number> {
    app = await NestFactory.create(App, new DrainingAdapter(90_000, drainTimeout), { logger: false });
    await app.listen(0, '127.0.0.1');
    return (app.getHttpServer().address() as AddressInfo).port;
  }

  /** Sends text in a new connection, and resolves when the server has it. */
  async function send(port: number, sent: string, untilReceived = ''): Promise<Socket> {
    const server = app.getHttpServer();
    const accepted = once(server, 'connection');
    const request = untilReceived === 'request' ? once(server, 'request') : undefined;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.write(sent);
    await Promise.all([accepted, request]);
    if (untilReceived === 'answer') await once(socket, 'data');
    return socket;
  }

  it('keeps an idle connection for longer than proxies do, and says so', async () => {
    const port = await start();
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    expect(headers.get('keep-alive')).toBe('timeout=90');
    expect(app.getHttpServer().headersTimeout).toBeGreaterThan(90_000);
  });

  it('closes what has no request in progress, and answers what has one', async () => {
    const port = await start(60_000);
    const pending = await send(port, HALF_A_BODY, 'request');
    const others = [
      await send(port, ''),
      await send(port, 'GET / HTTP/1.1\r\nHost: 127'),
      await send(port, `GET / HTTP/1.1\r\n${HEAD}\r\n`, 'answer'),
    ];
    const end = app.close();
    await Promise.all(others.map(closed));
    expect(pending.closed).toBe(false);
    pending.write('1}');
    const answer = await text(pending);
    expect(answer).toMatch(/^HTTP\/1.1 201 Created\r\n/);
    expect(answer).toMatch(/stored$/);
    await end;
  });

  it('ends although a request never does', async () => {
    const port = await start();
    const pending = await send(port, HALF_A_BODY, 'request');
    await app.close();
    await closed(pending);
  });
});
