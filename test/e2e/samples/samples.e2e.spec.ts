import { isAlive } from '@detector-cluster/dev-services';
import { waitFor } from '@detector-cluster/local-cluster';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../support/cluster.js';
import { descendants } from '../support/descendants.js';
import { leftBehindBy } from '../support/left-behind.js';

vi.setConfig({ testTimeout: 2 * TIMEOUT, hookTimeout: 2 * TIMEOUT });

const main = fileURLToPath(new URL('../../../tools/sample-runner/dist/main.js', import.meta.url));

/** `npm run sample` as a process: what it prints, and how it ends. */
class SampleRun {
  stdout = '';
  stderr = '';
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Exit code, when all its output was read. */
  readonly ended: Promise<number | null>;

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** The one line that a smoke run prints. */
  async result(): Promise<Record<string, unknown>> {
    const code = await this.ended;
    const result = JSON.parse(this.stdout) as Record<string, unknown>;
    if (code !== 0) process.stderr.write(`${this.stdout}${this.stderr}\n`);
    return { ...result, code };
  }
}

describe('samples', () => {
  let run: SampleRun | undefined;
  const smoke = (name: string) => (run = new SampleRun([name, '--smoke'])).result();
  afterEach(async () => {
    run?.child.kill('SIGINT');
    await run?.ended;
  });

  it('001: no tick runs twice, though the master is killed', async () => {
    const result = await smoke('001');
    expect(result).toMatchObject({ sample: '001-cron-on-one-replica', ok: true, code: 0, ranTwice: 0 });
    expect(result.ticks).toBeGreaterThanOrEqual(4);
  });

  it('002: a migration is completed once, by another replica than the one that died over it', async () => {
    expect(await smoke('002')).toMatchObject({
      ok: true,
      code: 0,
      begun: 2,
      completed: 1,
      waited: 2,
      readyTooEarly: 0,
    });
  });

  it.each(['plates', 'Plates of "b\\ c"'])('002: uses the schema that the URL names: %s', async (schema) => {
    const url = new URL(process.env.DATABASE_URL!);
    url.searchParams.set('schema', schema);
    vi.stubEnv('DATABASE_URL', url.href);
    vi.resetModules();
    const { database } = await import('../../../samples/002-migrations-once/src/config.js');
    const client = new pg.Client(database);
    await client.connect();
    const name = pg.escapeIdentifier(schema);
    try {
      await client.query(`CREATE SCHEMA ${name}`);
      expect((await client.query('SELECT current_schema()')).rows).toEqual([{ current_schema: schema }]);
    } finally {
      await client.query(`DROP SCHEMA IF EXISTS ${name}`);
      await client.end();
      vi.unstubAllEnvs();
    }
  });

  it('003: every order is booked once and has its receipt, though masters end and freeze', async () => {
    const result = await smoke('003');
    expect(result).toMatchObject({ ok: true, code: 0 });
    expect(result).toMatchObject({
      booked: result.orders,
      bookedTotal: result.total,
      receipts: result.orders,
    });
    expect(result.orders).toBeGreaterThan(50);
  });

  it('004: a write becomes detections, also after the master was killed', async () => {
    const result = await smoke('004');
    expect(result).toMatchObject({ ok: true, code: 0 });
    // The master would find a write without an announcement after 30 s.
    expect(result.nextWriteToDetectionMs).toBeLessThan(20_000);
  });

  it('005: terms rise from leader to leader, and the late write of a frozen one is refused', async () => {
    const result = await smoke('005');
    expect(result).toMatchObject({ ok: true, code: 0, refused: 1, outOfOrder: 0 });
    expect(result.leaders).toBeGreaterThanOrEqual(3);
  });

  it('007: every detection comes to the screen of its display, though a replica and the master are killed', async () => {
    const result = await smoke('007');
    expect(result).toMatchObject({ ok: true, code: 0 });
    expect(result.shown).toBeGreaterThanOrEqual(result.recorded as number);
    expect(result.recorded).toBeGreaterThan(20);
  });

  it('leave nothing behind on servers that are not theirs', async () => {
    // 006 is tried elsewhere, at the same time.
    for (const number of ['001', '002', '003', '004', '005', '007'])
      expect(await leftBehindBy(number)).toEqual([]);
  });
});

describe('a sample without --smoke', () => {
  const { REDIS_URL: _redis, DATABASE_URL: _database, ...withoutServers } = process.env;

  it.each([
    ['before all has been shown', '002', 'migrates'],
    ['afterwards', '005', 'running until Ctrl-C'],
  ])('ends in order on Ctrl-C %s, with servers of its own', async (_when, name, line) => {
    const run = new SampleRun([name], withoutServers);
    try {
      await waitFor(
        `'${line}'`,
        TIMEOUT,
        () => (run.stdout.includes(line) ? true : null),
        () => run.stdout + run.stderr,
      );
      const started = descendants(run.child.pid!);
      expect(started.length).toBeGreaterThan(3);
      run.child.kill('SIGINT');
      expect(await run.ended).toBe(0);
      expect(run.stderr).toBe('');
      expect(started.filter(isAlive)).toEqual([]);
    } finally {
      run.child.kill('SIGKILL');
    }
  });

  it('reports a failure, and exits', async () => {
    // No server listens there.
    const run = new SampleRun(['004'], { ...withoutServers, DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    expect(await run.ended).toBe(1);
    expect(run.stderr).toMatch(/^sample: .*ECONNREFUSED/);
  });

  it('lists the existing samples', async () => {
    const run = new SampleRun(['099']);
    expect(await run.ended).toBe(1);
    expect(run.stderr).toMatch(/^sample: no such sample: 099; there are: 001-cron-on-one-replica, 002-/);
  });
});
