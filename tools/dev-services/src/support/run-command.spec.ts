import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.js';

const node = (code: string, timeout?: number) => runCommand(process.execPath, ['-e', code], { timeout });

describe('runCommand', () => {
  it('returns the output of the command', async () => {
    await expect(node('console.log(1)')).resolves.toBe('1\n');
  });

  it.each([
    [
      'what it complained of',
      'console.error("no such thing"); process.exit(3)',
      60_000,
      'failed: no such thing',
    ],
    ['that it was too slow', 'setInterval(() => 0, 1000)', 50, 'failed: it did not end within 50 ms'],
  ])('says %s', async (_, code, timeout, message) => {
    await expect(node(code, timeout)).rejects.toThrow(message);
  });
});
