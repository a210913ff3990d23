import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { TcpProxy } from './tcp-proxy.js';

const servers: Server[] = [];
const proxies: TcpProxy[] = [];

/** A server that answers the first data with its name and what it got. */
async function serve(name: string): Promise<number> {
  const server = createServer((socket) => socket.once('data', (data) => socket.end(`${name} got ${data}`)));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function ask(proxy: TcpProxy, question: string): Promise<string> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  socket.write(question);
  return text(socket);
}

const start = async (...args: Parameters<typeof TcpProxy.start>): Promise<TcpProxy> => {
  const proxy = await TcpProxy.start(...args);
  proxies.push(proxy);
  return proxy;
};

afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  for (const server of servers.splice(0)) server.close();
});

describe('TcpProxy', () => {
  it('tries the targets in their order until one takes the connection', async () => {
    const [one, other] = [await serve('one'), await serve('other')];
    servers.shift()!.close();
    const proxy = await start({ targets: () => [{ port: one }, { port: other }] });
    expect(await ask(proxy, 'hello')).toBe('other got hello');
  });

  it('closes the connection if no target takes it', async () => {
    const proxy = await start({ targets: () => [] });
    expect(await ask(proxy, 'hello')).toBe('');
  });

  it('shows both sides of a connection before data pass, and replaces the address in a URL', async () => {
    const port = await serve('one');
    const seen: string[] = [];
    const proxy = await TcpProxy.to(`redis://127.0.0.1:${port}`, (client, upstream) => {
      client.on('data', (data) => seen.push(`> ${String(data)}`));
      upstream.on('data', (data) => seen.push(`< ${String(data)}`));
    });
    proxies.push(proxy);
    expect(await ask(proxy, 'hello')).toBe('one got hello');
    expect(seen).toEqual(['> hello', '< one got hello']);
    const { host } = new URL(proxy.url);
    expect(proxy.through('postgresql://user@db.example:5432/name').href).toBe(
      `postgresql://user@${host}/name`,
    );
  });

  it('passes nothing while it is cut, and passes again once it is mended', async () => {
    const port = await serve('one');
    const clients: Socket[] = [];
    const proxy = await start({
      targets: () => [{ port }],
      onConnection: (client) => clients.push(client),
    });
    const socket = connect(proxy.port, '127.0.0.1');
    while (clients.length === 0) await new Promise(setImmediate);
    const answer = text(socket);
    proxy.cut();
    socket.write('lost');
    await once(clients[0]!, 'data');
    proxy.mend();
    expect(await ask(proxy, 'hello')).toBe('one got hello');
    proxy.cutOnce();
    expect(await answer).toBe('');
    expect(await ask(proxy, 'again')).toBe('one got again');
  });
});
