import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloseCode } from '@detector-cluster/dashboard-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../eventually.fixture.js';
import { MAX_UNREAD, Page } from './page.js';

const MIB = Buffer.alloc(1024 * 1024, 'x');

describe('a page that does not read', () => {
  let server: WebSocketServer;
  let client: WebSocket;
  let socket: WebSocket;
  let page: Page;
  let received: number;
  let closed: Promise<number>;

  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    received = 0;
    client.on('message', (frame: Buffer) => (received += frame.length));
    closed = new Promise((resolve) => client.once('close', resolve));
    const [accepted, request] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
    socket = accepted;
    if (client.readyState !== WebSocket.OPEN) await once(client, 'open');
    page = new Page(socket, request);
    client.pause();
  });
  afterEach(() => {
    client.terminate();
    server.close();
  });

  /** More than both ends of a connection buffer. */
  const fill = async () => {
    while (socket.bufferedAmount < MAX_UNREAD - MIB.length) {
      page.send(MIB);
      await new Promise(setImmediate);
    }
  };

  it('is closed, and learns why when it reads again', async () => {
    await fill();
    expect(socket.readyState).toBe(WebSocket.OPEN);
    for (let i = 0; i < 6; i++) page.send(MIB);
    expect(socket.readyState).toBe(WebSocket.CLOSING);
    expect(socket.bufferedAmount).toBeLessThan(MAX_UNREAD + 3 * MIB.length);
    client.resume();
    expect(await closed).toBe(CloseCode.tooSlow);
  });

  it('may be slow with one long message, but not after it has read it', async () => {
    const long = Buffer.alloc(16 * MIB.length, 'y');
    page.send(long);
    page.send(MIB);
    page.send(MIB);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    client.resume();
    await eventually(async () => expect(received).toBe(long.length + 2 * MIB.length));
    client.pause();
    await fill();
    for (let i = 0; i < 6; i++) page.send(MIB);
    expect(socket.readyState).toBe(WebSocket.CLOSING);
  });

  it('does not let long messages pile up', async () => {
    const long = Buffer.alloc(16 * MIB.length, 'y');
    for (let i = 0; i < 5; i++) page.send(long);
    expect(socket.readyState).toBe(WebSocket.CLOSING);
    expect(socket.bufferedAmount).toBeLessThan(3 * long.length);
  });
});
