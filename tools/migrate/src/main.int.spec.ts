import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createDatabase, withPostgres } from '@detector-cluster/dev-services';
import { describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const run = (args: string[], url?: string, direct?: string) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: url, DIRECT_URL: direct };
    const child = execFile(process.execPath, [main, ...args], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, out: stdout + stderr }),
    );
  });

describe('the command', () => {
  it('migrates, reports it, and seeds', async () => {
    const url = await createDatabase(process.env.DATABASE_URL!, `main_${randomUUID()}`);
    expect(await run([], url)).toEqual({
      code: 0,
      out: expect.stringMatching(/^(applied \d{14}_\w+\n)+$/),
    });
    expect(await run([], url)).toEqual({
      code: 0,
      out: expect.stringMatching(/^up to date \(\d+ applied before\)\n$/),
    });
    expect(await run(['seed'], url)).toEqual({
      code: 0,
      out: expect.stringContaining('demo data: 2 models, 3 playlists, 6 cameras, 8 displays written'),
    });
    for (const [action, done] of [
      ['install', 'installed'],
      ['install', 'installed'],
      ['remove', 'removed'],
    ] as const)
      expect(await run(['change-feed', action], url)).toEqual({ code: 0, out: `change feed: ${done}\n` });
    expect(await run(['rolled-back', 'x'], url)).toEqual({
      code: 1,
      out: 'no failed attempt of migration x\n',
    });
  }, 60_000);

  it('uses DIRECT_URL, and the schema of the URL for migrations, change feed and seed', async () => {
    const direct = `${await createDatabase(process.env.DATABASE_URL!, `main_${randomUUID()}`)}?schema=one`;
    const pooled = 'postgresql://postgres@127.0.0.1:1/x?schema=one';
    expect(await run(['seed'], pooled, direct)).toMatchObject({ code: 0 });
    expect(await run(['change-feed', 'install'], pooled, direct)).toMatchObject({ code: 0 });
    await withPostgres(direct, async (client) => {
      const { rows } = await client.query(
        `select (select count(*)::int from one."Display") as displays, to_regproc('one.detector_cluster_changed')::text as feed`,
      );
      expect(rows).toEqual([{ displays: 8, feed: 'one.detector_cluster_changed' }]);
    });
    expect(await run([], 'postgresql://postgres@127.0.0.1:1/x', direct)).toEqual({
      code: 1,
      out: 'DIRECT_URL names another schema than DATABASE_URL; give both the same parameter "schema"\n',
    });
    expect(await run([], 'postgresql://u:hunter2@127.0.0.1:1/x?shema=one')).toEqual({
      code: 1,
      out: 'the URL of the database cannot be used: shema: is not known; did you mean schema?\n',
    });
  }, 60_000);

  it('explains itself', async () => {
    expect(await run([], '')).toMatchObject({ code: 2, out: expect.stringContaining('DATABASE_URL') });
    for (const args of [
      ['nonsense'],
      ['change-feed'],
      ['change-feed', 'dance'],
      ['rolled-back'],
      ['seed', 'x'],
    ])
      expect(await run(args, 'postgresql://nowhere')).toMatchObject({ code: 2 });
    expect(await run([], 'postgresql://postgres@127.0.0.1:1/x')).toMatchObject({
      code: 1,
      out: expect.stringContaining('ECONNREFUSED'),
    });
  }, 60_000);
});
