import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('prints addresses that work and ends on Ctrl-C', async () => {
  const cli = spawn(process.execPath, [fileURLToPath(new URL('../dist/cli.js', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(cli, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: cli.stdout })) if (lines.push(line) === 2) break;
  expect(lines[0]).toMatch(/^REDIS_URL=redis:\/\/127\.0\.0\.1:\d+$/);
  expect(lines[1]).toMatch(/^DATABASE_URL=postgresql:\/\/postgres@127\.0\.0\.1:\d+\/postgres$/);
  cli.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
}, 60_000);
