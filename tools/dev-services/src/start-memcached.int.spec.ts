import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from './support/process-state.js';
import type { GuardedServer } from './support/start-guarded.js';
import { startMemcached } from './start-memcached.js';

/** One command; resolves with the answer, or `null` after `timeout` ms of silence. */
const ask = ({ port, host }: GuardedServer, command: string, timeout = 10_000) =>
  new Promise<string | null>((resolve, reject) => {
    const socket = connect({ port, host }, () => socket.write(`${command}\r\n`));
    const end = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8').once('data', (answer) => end(String(answer).trim()));
    socket.setTimeout(timeout, () => end(null));
    socket.once('error', reject);
  });

const servers: GuardedServer[] = [];
const memcached = async () => {
  const server = await startMemcached();
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

describe('startMemcached', () => {
  it('runs several at once, and is empty after a restart on the same port', async () => {
    const [server, other] = [await memcached(), await memcached()];
    expect(await ask(server, 'set a 0 0 1\r\n1')).toBe('STORED');
    expect(await ask(other, 'get a')).toBe('END');
    const { pid, port } = server;
    await server.restart();
    expect([server.port, server.pid === pid]).toEqual([port, false]);
    expect(await ask(server, 'get a')).toBe('END');
  }, 120_000);

  it('can be killed, started, frozen and thawed, and leaves nothing after stop', async () => {
    const server = await memcached();
    await server.kill();
    await expect(ask(server, 'version')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.start();
    server.pause();
    expect(await ask(server, 'version', 300)).toBeNull();
    server.resume();
    expect(await ask(server, 'version')).toMatch(/^VERSION 1\./);
    await server.stop();
    expect([isAlive(server.pid), existsSync(server.directory)]).toEqual([false, false]);
  }, 120_000);
});
