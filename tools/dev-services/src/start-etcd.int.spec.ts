import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, threadStates } from './support/process-state.js';
import type { GuardedServer } from './support/start-guarded.js';
import { tempDirectory } from './support/temp-directory.js';
import { createAuthority } from './support/create-certificate.js';
import { startEtcd, startEtcdCluster } from './start-etcd.js';

const encode = (text: string) => Buffer.from(text).toString('base64');

type Answer = { kvs?: { value: string }[]; error?: string };

/**
 * A call of the JSON gateway; `null` after `timeout` ms of silence. Calls that etcd refuses or answers too late because it has
 * no leader yet are retried.
 */
async function call(server: GuardedServer, path: string, body: object, timeout = 20_000) {
  const signal = AbortSignal.timeout(timeout);
  try {
    for (;;) {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal,
      });
      const answer = (await response.json()) as Answer;
      if (answer.error === undefined) return answer;
    }
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
  it('runs several at once, each with its own ports and data', async () => {
    const all = await Promise.all([etcd(), etcd(), etcd()]);
    expect(new Set(all.map(({ port }) => port)).size).toBe(3);
    await put(all[0]!, 'a', '1');
    expect(await Promise.all(all.map((server) => read(server, 'a')))).toEqual([['1'], undefined, undefined]);
  }, 120_000);

  it('keeps port and data over crash, shutdown, kill and freeze, and leaves nothing after stop', async () => {
    const server = await etcd();
    const { pid, port } = server;
    await put(server, 'a', '1');
    await server.restart();
    expect([server.port, server.pid === pid]).toEqual([port, false]);
    expect(await read(server, 'a')).toEqual(['1']);
    await server.shutdown();
    await server.start();
    expect(await read(server, 'a')).toEqual(['1']);

    await server.kill();
    expect(isAlive(server.pid)).toBe(false);
    await expect(read(server, 'a')).rejects.toThrow(/fetch failed/);
    await server.start();
    expect(await read(server, 'a')).toEqual(['1']);

    server.pause();
    expect(new Set(threadStates(server.pid))).toEqual(new Set(['T']));
    expect(await read(server, 'a', 300)).toBeNull();
    server.resume();
    expect(await read(server, 'a')).toEqual(['1']);

    await server.stop();
    expect([isAlive(server.pid), existsSync(server.directory)]).toEqual([false, false]);
  }, 120_000);

  it('accepts TLS clients with a certificate', async () => {
    const directory = await tempDirectory('authority');
    const authority = await createAuthority(directory);
    const { files } = await authority.issue('server');
    const server = await etcd({ tls: { ca: authority.file, ...files } });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    await expect(put(server, 'a', '1')).rejects.toThrow(/fetch failed/);
    await rm(directory, { recursive: true });
  }, 120_000);

  it('runs a cluster that continues without one of its members', async () => {
    const cluster = await startEtcdCluster(3);
    servers.push(...cluster.members);
    const [first, second, third] = cluster.members;
    await put(first!, 'a', '1');
    await first!.kill();
    await put(second!, 'b', '2');
    expect([await read(third!, 'a'), await read(third!, 'b')]).toEqual([['1'], ['2']]);
    await first!.start();
    expect(await read(first!, 'b')).toEqual(['2']);
  }, 120_000);
});
