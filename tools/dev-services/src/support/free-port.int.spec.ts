import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimPort, freePort } from './free-port.js';
import { waitFor } from './wait-for.js';

const entry = new URL('../../dist/support/free-port.js', import.meta.url).href;

// Abstract sockets exist only on Linux.
const onLinux = existsSync('/proc/self/stat') ? describe : describe.skip;

onLinux('freePort', () => {
  it('gives a port to one caller, although no server listens there yet', async () => {
    const port = await freePort();
    expect(await claimPort(port)).toBe(false);
  });

  it('gives no port that another process has, until that process ends', async () => {
    const code = `import { freePort } from '${entry}';
      console.log(await freePort()); setInterval(() => undefined, 1_000);`;
    const child = execFile(process.execPath, ['--input-type=module', '-e', code]);
    const port = Number(await new Promise((resolve) => child.stdout!.once('data', resolve)));
    expect(await claimPort(port)).toBe(false);
    child.kill('SIGKILL');
    await waitFor('the end of the claim', 20_000, () => claimPort(port));
  });

  it('does not keep a process alive', async () => {
    const code = `import { freePort } from '${entry}'; await freePort();`;
    const child = execFile(process.execPath, ['--input-type=module', '-e', code]);
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  }, 60_000);
});
