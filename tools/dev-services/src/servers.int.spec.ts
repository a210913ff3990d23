import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, processState } from './support/process-state.js';
import { startPostgres, startRedis } from './index.js';
import type { PostgresService, RedisService } from './index.js';
import { findOnPath } from './support/find-on-path.js';
import { freePort } from './support/free-port.js';
import { waitFor } from './support/wait-for.js';

const entry = new URL('../dist/index.js', import.meta.url).href;

/** One command, sent as telnet would; resolves with the answer, or `null` after `timeout` ms of silence. */
const ask = (port: number, command: string, timeout = 5_000) =>
  new Promise<string | null>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(`${command}\r\n`));
    const end = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8').once('data', (answer) => end(String(answer).trim()));
    socket.setTimeout(timeout, () => end(null));
    socket.once('error', reject);
  });

const services: (RedisService | PostgresService)[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});
const redis = async (...args: Parameters<typeof startRedis>) => {
  const service = await startRedis(...args);
  services.push(service);
  return service;
};
const postgres = async () => {
  const service = await startPostgres();
  services.push(service);
  return service;
};

describe('a process that started servers', () => {
  interface Started {
    pids: number[];
    directories: string[];
  }
  const start = async (rest: string) => {
    const code = `import { startPostgres, startRedis } from '${entry}';
      const all = await Promise.all([startRedis(), startRedis(), startPostgres()]);
      console.log(JSON.stringify({ pids: all.map((s) => s.pid), directories: all.map((s) => s.directory) }));
      ${rest}`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(owner, 'exit');
    const lines = createInterface({ input: owner.stdout });
    const [line] = (await Promise.race([once(lines, 'line'), exit.then(() => ['{}'])])) as [string];
    return { owner, exit, ...(JSON.parse(line) as Started) };
  };
  const gone = async ({ pids, directories }: Started) => {
    await waitFor('end of the servers', 30_000, () => !pids.some(isAlive));
    const removed = () => !directories.some((directory) => existsSync(directory));
    await waitFor('removal of the directories', 30_000, removed);
  };
  const forever = 'setInterval(() => undefined, 1_000);';

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends them when it gets %s',
    async (signal) => {
      const started = await start(forever);
      expect(started.pids.map(isAlive)).toEqual([true, true, true]);
      started.owner.kill(signal);
      await started.exit;
      await gone(started);
    },
    60_000,
  );

  it('ends them when it exits normally, and is not kept alive by them', async () => {
    const started = await start('');
    expect((await started.exit)[0]).toBe(0);
    await gone(started);
  }, 60_000);

  it('ends them even if they are frozen', async () => {
    const started = await start(`for (const service of all) service.pause(); ${forever}`);
    await waitFor('pause', 30_000, () => processState(started.pids[2]!) === 'T');
    started.owner.kill('SIGKILL');
    await gone(started);
  }, 60_000);

  it('is not disturbed by the files of a killed run', async () => {
    const before = await start(forever);
    before.owner.kill('SIGKILL');
    const next = await start(forever);
    expect(next.pids.map(isAlive)).toEqual([true, true, true]);
    await gone(before);
    expect(next.pids.map(isAlive)).toEqual([true, true, true]);
    next.owner.kill('SIGTERM');
    await gone(next);
  }, 60_000);
});

describe('startRedis', () => {
  it('finds a port for each of many at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => redis()));
    expect(new Set(all.map(({ port }) => port)).size).toBe(6);
    expect(await Promise.all(all.map(({ port }) => ask(port, 'PING')))).toEqual(Array(6).fill('+PONG'));
    expect(await ask(all[0]!.port, 'DBSIZE')).toBe(':0');
  }, 60_000);

  it('takes no other port than the given one', async () => {
    const { port } = await redis();
    await expect(startRedis({ port })).rejects.toMatchObject({ name: 'ServerStartError', portTaken: true });
    const free = await freePort();
    expect((await redis({ port: free })).url).toBe(`redis://127.0.0.1:${free}`);
  }, 60_000);

  it('restarts on its port: empty, or with its data if persistent', async () => {
    const [forgets, keeps] = [await redis(), await redis({ persistence: true })];
    for (const service of [forgets, keeps]) {
      const { pid, port } = service;
      await ask(port, 'SET a 1');
      await service.restart();
      expect([service.port, service.pid === pid]).toEqual([port, false]);
    }
    expect(await ask(forgets.port, 'EXISTS a')).toBe(':0');
    expect(await ask(keeps.port, 'EXISTS a')).toBe(':1');
    await keeps.shutdown();
    await keeps.start();
    expect(await ask(keeps.port, 'EXISTS a')).toBe(':1');
  }, 60_000);

  it('can be killed and started, frozen and thawed', async () => {
    const service = await redis();
    await service.kill();
    expect(isAlive(service.pid)).toBe(false);
    await expect(ask(service.port, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await service.start();
    expect(await ask(service.port, 'PING')).toBe('+PONG');
    await expect(service.start()).rejects.toThrow(/runs already/);
    service.pause();
    expect(await ask(service.port, 'PING', 300)).toBeNull();
    service.resume();
    expect(await ask(service.port, 'PING')).toBe('+PONG');
  }, 60_000);

  it('passes arguments on, and accepts a server with a password', async () => {
    const { port } = await redis({ args: ['--requirepass', `it's "secret"`, '--maxmemory', '64mb'] });
    expect(await ask(port, 'PING')).toMatch(/^-NOAUTH/);
  }, 60_000);

  const bound = findOnPath('setpriv') ? it : it.skip;
  bound(
    'dies even with its guard, where the system can bind the one to the other',
    async () => {
      const { pid, directory } = await redis();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      process.kill(parent, 'SIGKILL');
      await waitFor('end of the server', 30_000, () => !isAlive(pid));
      rmSync(directory, { recursive: true });
    },
    60_000,
  );
});

describe('startPostgres', () => {
  it('runs, makes databases, and survives crash, shutdown and freeze with its data', async () => {
    const service = await postgres();
    const url = await service.createDatabase(`odd "name"`);
    const query = async (sql: string) => {
      const client = new pg.Client({ connectionString: url, query_timeout: 20_000 });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(sql)).rows as unknown[];
      } finally {
        await client.end();
      }
    };
    await query('CREATE TABLE kept AS SELECT 1 AS a');
    await service.restart();
    expect(await query('SELECT a FROM kept')).toEqual([{ a: 1 }]);
    await service.shutdown();
    await service.start();
    await service.kill();
    await expect(query('SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await service.start();
    service.pause();
    const answer = query('SELECT a FROM kept');
    expect(await Promise.race([answer, sleep(300, 'silence')])).toBe('silence');
    service.resume();
    expect(await answer).toEqual([{ a: 1 }]);
    await service.stop();
    expect(existsSync(dirname(service.directory))).toBe(true);
    expect(existsSync(service.directory)).toBe(false);
  }, 60_000);
});
