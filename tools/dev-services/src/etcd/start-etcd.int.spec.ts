import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isAlive } from '../guard/process-state.js';
import type { GuardedServer } from '../guard/guarded-server.js';
import { startEtcd } from './start-etcd.js';

const encode = (text: string) => Buffer.from(text).toString('base64');

/** One call of the JSON gateway; `null` after `timeout` ms of silence. */
async function call(server: GuardedServer, path: string, body: object, timeout = 10_000) {
  try {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    });
    return (await response.json()) as { kvs?: { value: string }[] };
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return null;
    throw error;
  }
}
const put = (server: GuardedServer, key: string, value: string) =>
  call(server, '/v3/kv/put', { key: encode(key), value: encode(value) });
const read = async (server: GuardedServer, key: string, timeout?: number) => {
  const answer = await call(server, '/v3/kv/range', { key: encode(key) }, timeout);
  return answer && answer.kvs?.map(({ value }) => Buffer.from(value, 'base64').toString());
};

const servers: GuardedServer[] = [];
const etcd = async (...args: Parameters<typeof startEtcd>) => {
  const server = await startEtcd(...args);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

describe('startEtcd', () => {
  it('runs several at once, each on ports and with data of its own', async () => {
    const all = await Promise.all([etcd(), etcd(), etcd()]);
    expect(new Set(all.map(({ port }) => port)).size).toBe(3);
    await put(all[0]!, 'a', '1');
    expect(await Promise.all(all.map((server) => read(server, 'a')))).toEqual([['1'], undefined, undefined]);
  }, 120_000);

  it('keeps port and data over crash, shutdown, kill and freeze, and leaves nothing when stopped', async () => {
    const server = await etcd();
    const { pid, port } = server;
    await put(server, 'a', '1');
    await server.restart();
    expect([server.port, server.pid === pid]).toEqual([port, false]);
    expect(await read(server, 'a')).toEqual(['1']);
    await server.restart({ how: 'shutdown' });
    expect(await read(server, 'a')).toEqual(['1']);

    await server.kill();
    expect(isAlive(server.pid)).toBe(false);
    await expect(read(server, 'a')).rejects.toThrow(/fetch failed/);
    await server.start();
    expect(await read(server, 'a')).toEqual(['1']);

    server.pause();
    expect(await read(server, 'a', 300)).toBeNull();
    server.resume();
    expect(await read(server, 'a')).toEqual(['1']);

    await server.stop();
    expect([isAlive(server.pid), existsSync(server.directory)]).toEqual([false, false]);
  }, 120_000);

  it('shows why it did not start', async () => {
    await expect(startEtcd({ args: ['--no-such-flag'] })).rejects.toMatchObject({
      name: 'ServerStartError',
      message: expect.stringContaining('no-such-flag'),
    });
  }, 120_000);
});
