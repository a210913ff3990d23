import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.js';
import { startGuarded, startProgram } from './start-guarded.js';

const complain = (message: string) => ['sh', '-c', `echo "${message}" >&2; exit 1`];
const attempts = (first: string[]) => {
  const directories: string[] = [];
  const prepare = async (directory: string) => {
    directories.push(directory);
    const command = directories.length === 1 ? first : ['sleep', '1000'];
    return { port: directories.length, url: 'none', command, ready: async () => directories.length > 1 };
  };
  return { directories, prepare };
};

describe('startGuarded', () => {
  it('tries other ports if another program was faster, and removes the files of the first attempt', async () => {
    const { directories, prepare } = attempts(complain('bind: Address already in use'));
    const server = await startGuarded({ name: 'sleeper' }, prepare);
    expect(server.port).toBe(2);
    expect(directories.map((directory) => existsSync(directory))).toEqual([false, true]);
    await server.stop();
    expect(existsSync(directories[1]!)).toBe(false);
  }, 60_000);

  it('does not retry after another error', async () => {
    const { directories, prepare } = attempts(complain('bad luck'));
    await expect(startGuarded({ name: 'sleeper' }, prepare)).rejects.toThrow(/bad luck/);
    expect(directories.map((directory) => existsSync(directory))).toEqual([false]);
  }, 60_000);
});

it('a frozen program that is killed does not run once more', async () => {
  const script = `process.on('SIGCONT', () => console.log('continued')); console.log('up'); setInterval(() => {}, 1)`;
  const server = await startProgram({
    name: 'frozen',
    command: () => [process.execPath, '-e', script],
    ready: async () => true,
  });
  await waitFor('the program', 20_000, async () => (await server.log()).includes('up'));
  server.pause();
  await server.kill();
  expect(await server.log()).toBe('up\n');
  await server.stop();
}, 60_000);
