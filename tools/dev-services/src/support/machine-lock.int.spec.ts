import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withMachineLock } from './machine-lock.js';

// Abstract sockets exist only on Linux, and so do all uses of the lock.
const onLinux = existsSync('/proc/self/stat') ? describe : describe.skip;

onLinux('withMachineLock', () => {
  it('runs one work at a time, and releases the lock after a failure', async () => {
    const name = randomUUID();
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(20);
      inside--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withMachineLock(name, work)));
    expect(most).toBe(1);
    const broken = withMachineLock(name, async () => Promise.reject(new Error('no')));
    await expect(broken).rejects.toThrow('no');
    await withMachineLock(name, work);
  });

  it('works between processes, and ends with its holder', async () => {
    const name = randomUUID();
    const code = `import { withMachineLock } from '${new URL('../../dist/support/machine-lock.js', import.meta.url).href}';
      await withMachineLock('${name}', async () => {
        console.log('held');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      });`;
    const child = execFile(process.execPath, ['--input-type=module', '-e', code]);
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    await expect(withMachineLock(name, async () => undefined, 200)).rejects.toThrow(/too long/);
    child.kill('SIGKILL');
    await expect(withMachineLock(name, async () => 'mine', 10_000)).resolves.toBe('mine');
    await promisify(setImmediate)();
  });
});
